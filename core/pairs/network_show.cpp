#include <fmt/format.h>

#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/benchmark.hpp"
#include "core/pairs/network.hpp"
#include "core/pairs/plan.hpp"
#include "core/record/columns.hpp"
#include "core/record/json.hpp"
#include "core/units/quantity_text.hpp"

namespace beff::pairs {
namespace {

constexpr double kMillion = 1e6;

std::string bisection_plan_text(const Plan& plan) {
  const auto& asked = *plan.bisection;
  const auto first = asked.by_switches ? std::string("by switch")
                     : asked.first_half.empty()
                         ? std::string("by number")
                         : fmt::format("of {} given", asked.first_half.size());
  return fmt::format(
      "Bisection: halves {} and {} drawn ones, {}, {} of a {}, {} both ways;\n"
      "  {} where each process has 10 GB/s each way, at most {}\n",
      first, asked.random_halves, counted(bisection_steps(plan), "step"),
      counted(asked.processes, "process"), to_string(plan.unit), format_size(plan.message),
      format_duration(bisection_time(plan, kUsual_MBps)), format_duration(asked.time));
}

std::string per_host_plan_text(const Plan& plan) {
  return fmt::format(
      "Processes per host: {}; pairs of hosts, some alone and all at once, {} one way and both\n"
      "  ways, and {} byte with {} under way\n",
      fmt::join(plan.per_host->processes, ", "), format_size(plan.message), kShortBytes, kWindow);
}

std::string bisection_text(const Plan& plan, const BisectionRecord& record,
                           const UnitNames& names) {
  const auto found = bisection_figures(plan, record);
  if (!found) {
    return "nothing was measured\n";
  }
  std::string text = fmt::format(
      "minimum {:.3f} GB/s, mean {:.3f}, maximum {:.3f}, both ways, of {} of {}\n",
      found->minimum_MBps / kMBPerGB, found->mean_MBps / kMBPerGB, found->maximum_MBps / kMBPerGB,
      record.steps(), counted(bisection_steps(plan), "step"));
  text += fmt::format("by the mean time of the pairs of a step, as LinkTest sums: minimum {:.3f}\n",
                      found->by_mean_time_MBps / kMBPerGB);
  text += fmt::format(
      "minimum in step {} of {}; its slowest pair {} and {}, {:.3f} GB/s\n", found->step + 1,
      found->halves == 0 ? std::string("the first halves")
                         : fmt::format("drawn halves {}", found->halves),
      names.of_unit(found->at_minimum.slowest.first),
      names.of_unit(found->at_minimum.slowest.second), found->slowest_MBps / kMBPerGB);
  if (found->full_MBps) {
    text += fmt::format("{:.1f} % of the {:.3f} GB/s that its pairs have alone\n",
                        *found->percent(), *found->full_MBps / kMBPerGB);
  }
  return text;
}

std::string per_host_text(const Plan& plan, const PerHostRecord& record) {
  std::string text = "processes, traffic, pairs, quickest, slowest\n";
  for (const auto& row : record.rows) {
    std::string rates;
    for (const auto ns : {*std::ranges::min_element(row.ns), *std::ranges::max_element(row.ns)}) {
      const double rate = rate_of(plan, row.processes, row.traffic, static_cast<double>(ns));
      const bool counts = row.traffic == Traffic::kMessages;
      rates += fmt::format("{:>14.3f} {}", rate / (counts ? kMillion : kMBPerGB),
                           counts ? "M/s " : "GB/s");
      if (row.ns.size() == 1) {
        break;
      }
    }
    text += fmt::format("{:>5}  {:<10}{:<6}{}\n", row.processes, to_string(row.traffic),
                        row.alone ? "alone" : "all", rates);
  }
  const auto found = per_host_figures(plan, record);
  if (found.one_way_MBps) {
    text += fmt::format("{:.3f} GB/s one way at best; 95 % of it from {} of a host on\n",
                        *found.one_way_MBps / kMBPerGB, counted(*found.processes, "process"));
  }
  if (found.messages_per_s) {
    text += fmt::format("{:.3f} million messages/s at best; 95 % of it from {} of a host on\n",
                        *found.messages_per_s / kMillion,
                        counted(*found.messages_processes, "process"));
  }
  return text;
}

}  // namespace

std::string network_plan_text(const Plan& plan) {
  return (plan.bisection ? bisection_plan_text(plan) : "") +
         (plan.per_host ? per_host_plan_text(plan) : "");
}

std::string network_text(const Plan& plan, const NetworkRecord& record, const UnitNames& names) {
  std::string text;
  if (plan.bisection) {
    text += heading("Bisection") + bisection_text(plan, record.bisection, names);
  }
  if (plan.per_host) {
    text += heading("Processes per host") + per_host_text(plan, record.per_host);
  }
  return text;
}

std::string network_words(const Plan& plan, const NetworkRecord& record) {
  std::string text;
  if (plan.bisection) {
    if (const auto found = bisection_figures(plan, record.bisection)) {
      text += fmt::format(", bisection {:.3f} GB/s", found->minimum_MBps / kMBPerGB);
    }
  }
  if (plan.per_host) {
    if (const auto found = per_host_figures(plan, record.per_host); found.one_way_MBps) {
      text += fmt::format(", {} of a host {:.3f} GB/s", counted(*found.processes, "process"),
                          *found.one_way_MBps / kMBPerGB);
    }
  }
  return text;
}

namespace {

std::string kind_of(const Plan& plan, std::size_t halves) {
  if (halves > 0) {
    return "random";
  }
  const auto& asked = *plan.bisection;
  return asked.by_switches ? "switches" : asked.first_half.empty() ? "order" : "given";
}

constexpr std::tuple kAloneColumns{
    Column{"first", [](const AloneResult& alone) { return alone.pair.first; }},
    Column{"second", [](const AloneResult& alone) { return alone.pair.second; }},
    Column{"ns", &AloneResult::ns},
};

constexpr std::tuple kStepColumns{
    Column{"sum_MBps", &StepResult::sum_MBps},
    Column{"slowest_ns", &StepResult::slowest_ns},
    Column{"first", [](const StepResult& step) { return step.slowest.first; }},
    Column{"second", [](const StepResult& step) { return step.slowest.second; }},
};

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
    const auto& steps = begun ? record.halves[number] : std::vector<StepResult>();
    halves.push_back({{"kind", kind_of(plan, number)},
                      {"steps", table_json(steps, kStepColumns)},
                      {"mean_ns", json_list(steps, &StepResult::mean_ns)}});
  }
  return {{"alone", table_json(record.alone, kAloneColumns)},
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
          {"pairs", each([](const PerHostResult& row) { return row.alone ? 1 : row.ns.size(); })},
          {"ns", each([](const PerHostResult& row) { return ns_text(row.ns); })},
          {"rate", each([&](const PerHostResult& row) {
             return rate_of(plan, row.processes, row.traffic,
                            median({row.ns.begin(), row.ns.end()}));
           })}};
}

Json network_summary(const Plan& plan, const NetworkRecord& record) {
  const auto bisection = plan.bisection ? bisection_figures(plan, record.bisection) : std::nullopt;
  const auto of_bisection = [&](double BisectionFigures::* figure) {
    return bisection ? Json((*bisection).*figure) : Json(nullptr);
  };
  const auto per_host = plan.per_host ? per_host_figures(plan, record.per_host) : PerHostFigures();
  return {{"bisection_MBps", of_bisection(&BisectionFigures::minimum_MBps)},
          {"bisection_mean_MBps", of_bisection(&BisectionFigures::mean_MBps)},
          {"bisection_maximum_MBps", of_bisection(&BisectionFigures::maximum_MBps)},
          {"bisection_by_mean_time_MBps", of_bisection(&BisectionFigures::by_mean_time_MBps)},
          {"bisection_percent", bisection ? or_null(bisection->percent()) : Json(nullptr)},
          {"host_MBps", or_null(per_host.one_way_MBps)},
          {"host_processes", or_null(per_host.processes)},
          {"host_both_ways_MBps", or_null(per_host.both_ways_MBps)},
          {"host_messages_per_s", or_null(per_host.messages_per_s)},
          {"host_messages_processes", or_null(per_host.messages_processes)}};
}

Json to_json(const AloneResult& alone) { return row_json(alone, kAloneColumns); }

Json to_json(int halves, int place, const StepResult& step) {
  Json entry = {{"halves", halves}, {"place", place}};
  entry.update(row_json(step, kStepColumns));
  entry["mean_ns"] = step.mean_ns;
  return entry;
}

Json to_json(const PerHostResult& row) {
  return {{"processes", row.processes},
          {"traffic", to_string(row.traffic)},
          {"alone", row.alone},
          {"ns", ns_text(row.ns)}};
}

}  // namespace beff::pairs
