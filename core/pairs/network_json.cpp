#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <utility>
#include <vector>

#include "core/pairs/network.hpp"
#include "core/pairs/plan.hpp"
#include "core/record/json.hpp"

namespace beff::pairs {
namespace {

std::string kind_of(const Plan& plan, std::size_t halves) {
  if (halves > 0) {
    return "random";
  }
  const auto& asked = *plan.bisection;
  return asked.by_switches ? "switches" : asked.first_half.empty() ? "order" : "given";
}

Json halves_json(const Plan& plan, std::size_t halves, const std::vector<StepResult>& steps) {
  const auto each = [&](const auto& get) { return json_list(steps, get); };
  return {{"kind", kind_of(plan, halves)},
          {"steps",
           {{"sum_MBps", each(&StepResult::sum_MBps)},
            {"slowest_ns", each(&StepResult::slowest_ns)},
            {"first", each([](const StepResult& step) { return step.slowest.first; })},
            {"second", each([](const StepResult& step) { return step.slowest.second; })}}}};
}

Json minimum_json(const Plan& plan, const BisectionRecord& record) {
  const auto found = bisection_figures(plan, record);
  if (!found) {
    return nullptr;
  }
  return {{"halves", found->halves},
          {"step", found->step},
          {"first", found->at_minimum.slowest.first},
          {"second", found->at_minimum.slowest.second},
          {"pair_MBps", found->slowest_MBps},
          {"full_MBps", or_null(found->full_MBps)}};
}

std::string ns_text(const std::vector<std::int64_t>& ns) {
  return fmt::format("{}", fmt::join(ns, " "));
}

double rate_in_middle(const Plan& plan, const PerHostResult& row) {
  return rate_of(plan, row.processes, row.traffic, median({row.ns.begin(), row.ns.end()}));
}

}  // namespace

Json bisection_plan_json(const Plan& plan) {
  if (!plan.bisection) {
    return nullptr;
  }
  const auto& asked = *plan.bisection;
  return {{"message_bytes", plan.message},
          {"processes", asked.processes},
          {"steps", cut_of(plan, 0).steps()},
          {"random_halves", asked.random_halves},
          {"first_half", asked.first_half.empty() ? Json(nullptr) : Json(asked.first_half)},
          {"longest_s", asked.time},
          {"at_10_GBps_s", bisection_time(plan, kUsual_MBps)}};
}

Json per_host_plan_json(const Plan& plan) {
  if (!plan.per_host) {
    return nullptr;
  }
  return {{"message_bytes", plan.message},
          {"short_bytes", kShortBytes},
          {"window", kWindow},
          {"processes", plan.per_host->processes}};
}

Json bisection_json(const Plan& plan, const BisectionRecord& record) {
  if (!plan.bisection) {
    return nullptr;
  }
  const auto& asked = *plan.bisection;
  Json halves = Json::array();
  for (std::size_t number = 0; std::cmp_less_equal(number, asked.random_halves); ++number) {
    const bool begun = number < record.halves.size();
    halves.push_back(
        halves_json(plan, number, begun ? record.halves[number] : std::vector<StepResult>()));
  }
  const auto alone = [&](const auto& get) { return json_list(record.alone, get); };
  return {{"alone",
           {{"first", alone([](const AloneResult& one) { return one.pair.first; })},
            {"second", alone([](const AloneResult& one) { return one.pair.second; })},
            {"ns", alone(&AloneResult::ns)}}},
          {"halves", std::move(halves)},
          {"minimum", minimum_json(plan, record)},
          {"took_s", record.took}};
}

Json per_host_json(const Plan& plan, const PerHostRecord& record) {
  if (!plan.per_host) {
    return nullptr;
  }
  const auto each = [&](const auto& get) { return json_list(record.rows, get); };
  return {{"processes", each(&PerHostResult::processes)},
          {"traffic", each([](const PerHostResult& row) { return to_string(row.traffic); })},
          {"pairs", each([](const PerHostResult& row) { return row.ns.size(); })},
          {"ns", each([](const PerHostResult& row) { return ns_text(row.ns); })},
          {"rate", each([&](const PerHostResult& row) { return rate_in_middle(plan, row); })}};
}

Json network_summary(const Plan& plan, const NetworkRecord& record) {
  const auto bisection = plan.bisection ? bisection_figures(plan, record.bisection) : std::nullopt;
  const auto of_bisection = [&](double BisectionFigures::* figure) {
    return bisection ? Json((*bisection).*figure) : Json(nullptr);
  };
  const auto per_host = plan.per_host ? per_host_figures(plan, record.per_host) : PerHostFigures();
  Json summary = {{"bisection_MBps", of_bisection(&BisectionFigures::minimum_MBps)},
                  {"bisection_mean_MBps", of_bisection(&BisectionFigures::mean_MBps)},
                  {"bisection_maximum_MBps", of_bisection(&BisectionFigures::maximum_MBps)},
                  {"bisection_percent", bisection ? or_null(bisection->percent()) : Json(nullptr)},
                  {"host_MBps", or_null(per_host.one_way_MBps)},
                  {"host_processes", or_null(per_host.processes)},
                  {"host_both_ways_MBps", or_null(per_host.both_ways_MBps)},
                  {"host_messages_per_s", or_null(per_host.messages_per_s)},
                  {"host_messages_processes", or_null(per_host.messages_processes)}};
  summary.update(matrix_summary(plan, record.matrix));
  return summary;
}

Json to_json(const AloneResult& alone) {
  return {{"first", alone.pair.first}, {"second", alone.pair.second}, {"ns", alone.ns}};
}

Json to_json(int halves, int place, const StepResult& step) {
  return {{"halves", halves},
          {"place", place},
          {"sum_MBps", step.sum_MBps},
          {"slowest_ns", step.slowest_ns},
          {"first", step.slowest.first},
          {"second", step.slowest.second}};
}

Json to_json(const PerHostResult& row) {
  return {
      {"processes", row.processes}, {"traffic", to_string(row.traffic)}, {"ns", ns_text(row.ns)}};
}

}  // namespace beff::pairs
