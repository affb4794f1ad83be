#include "core/pairs/network.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <ranges>
#include <tuple>
#include <utility>

#include "core/pairs/plan.hpp"
#include "core/pairs/result.hpp"
#include "core/record/columns.hpp"
#include "core/record/json.hpp"

namespace beff::pairs {
namespace {

/// So much of the best is as good as the best.
constexpr double kFull = 0.95;

/// The best rate of the pair in the middle, and the fewest processes that come near it.
struct Best {
  double rate = 0;
  int processes = 0;
};

std::optional<Best> best_alone(const Plan& plan, const std::vector<PerHostResult>& rows,
                               Traffic traffic) {
  std::vector<Best> candidates;
  for (const auto& row : rows) {
    if (row.traffic == traffic && row.alone) {
      const double ns = median({row.ns.begin(), row.ns.end()});
      candidates.push_back(
          {.rate = rate_of(plan, row.processes, traffic, ns), .processes = row.processes});
    }
  }
  if (candidates.empty()) {
    return std::nullopt;
  }
  const double best = std::ranges::max(candidates, {}, &Best::rate).rate;
  const auto enough = std::ranges::find_if(
      candidates, [&](const Best& candidate) { return candidate.rate >= kFull * best; });
  return Best{.rate = best, .processes = enough->processes};
}

}  // namespace

double rate_of(const Plan& plan, int processes, Traffic traffic, double ns) {
  const double exchanges_per_s = processes * kNsPerS / ns;
  switch (traffic) {
    case Traffic::kBothWays:
      return exchanges_per_s * 2 * static_cast<double>(plan.message) / kBytesPerMB;
    case Traffic::kOneWay:
      return exchanges_per_s * static_cast<double>(plan.message) / kBytesPerMB;
    case Traffic::kMessages:
      break;
  }
  return exchanges_per_s * kWindow;
}

StepResult step_result(const Plan& plan, const std::vector<UnitPair>& pairs,
                       const std::vector<std::int64_t>& ns) {
  StepResult step;
  double sum_ns = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    step.sum_MBps +=
        rate_of(plan, plan.bisection->processes, Traffic::kBothWays, static_cast<double>(ns[i]));
    sum_ns += static_cast<double>(ns[i]);
    if (ns[i] > step.slowest_ns) {
      step.slowest_ns = ns[i];
      step.slowest = pairs[i];
    }
  }
  step.mean_ns = std::llround(sum_ns / static_cast<double>(pairs.size()));
  return step;
}

int BisectionRecord::steps() const {
  const auto sizes = std::views::transform(halves, [](const auto& steps) { return steps.size(); });
  return static_cast<int>(std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}));
}

std::optional<double> BisectionFigures::percent() const {
  constexpr double kPercent = 100;
  return full_MBps ? std::optional(kPercent * minimum_MBps / *full_MBps) : std::nullopt;
}

std::optional<BisectionFigures> bisection_figures(const Plan& plan, const BisectionRecord& record) {
  std::optional<BisectionFigures> figures;
  double sum = 0;
  int count = 0;
  const int processes = plan.bisection->processes;
  const auto both_ways = [&](double ns) {
    return rate_of(plan, processes, Traffic::kBothWays, ns);
  };
  for (std::size_t halves = 0; halves < record.halves.size(); ++halves) {
    const auto& steps = record.halves[halves];
    const auto pairs =
        static_cast<double>(cut_of(plan, static_cast<int>(halves)).pairs_of_step(0).size());
    for (std::size_t place = 0; place < steps.size(); ++place) {
      const double MBps = steps[place].sum_MBps;
      const double by_mean_time_MBps = pairs * both_ways(static_cast<double>(steps[place].mean_ns));
      sum += MBps;
      ++count;
      if (!figures) {
        figures.emplace().maximum_MBps = MBps;
        figures->by_mean_time_MBps = by_mean_time_MBps;
      }
      figures->maximum_MBps = std::max(figures->maximum_MBps, MBps);
      figures->by_mean_time_MBps = std::min(figures->by_mean_time_MBps, by_mean_time_MBps);
      if (count == 1 || MBps < figures->minimum_MBps) {
        figures->minimum_MBps = MBps;
        figures->halves = static_cast<int>(halves);
        figures->step = static_cast<int>(place);
        figures->at_minimum = steps[place];
      }
    }
  }
  if (!figures) {
    return std::nullopt;
  }
  figures->mean_MBps = sum / count;
  const auto cut = cut_of(plan, figures->halves);
  figures->step = spread_step(figures->step, cut.steps());
  figures->slowest_MBps = both_ways(static_cast<double>(figures->at_minimum.slowest_ns));
  if (!record.alone.empty()) {
    std::vector<double> rates;
    for (const auto& alone : record.alone) {
      rates.push_back(both_ways(static_cast<double>(alone.ns)));
    }
    const auto pairs = cut.pairs_of_step(figures->step).size();
    figures->full_MBps = static_cast<double>(pairs) * median(std::move(rates));
  }
  return figures;
}

PerHostFigures per_host_figures(const Plan& plan, const std::vector<PerHostResult>& rows) {
  PerHostFigures figures;
  if (const auto one_way = best_alone(plan, rows, Traffic::kOneWay)) {
    figures.one_way_MBps = one_way->rate;
    figures.processes = one_way->processes;
  }
  if (const auto both_ways = best_alone(plan, rows, Traffic::kBothWays)) {
    figures.both_ways_MBps = both_ways->rate;
  }
  if (const auto messages = best_alone(plan, rows, Traffic::kMessages)) {
    figures.messages_per_s = messages->rate;
    figures.messages_processes = messages->processes;
  }
  return figures;
}

namespace {

std::string bisection_plan_text(const Plan& plan) {
  const auto& bisection = *plan.bisection;
  const auto first = bisection.by_switches ? std::string("by switch")
                     : bisection.first_half.empty()
                         ? std::string("by number")
                         : fmt::format("of {} given", bisection.first_half.size());
  return fmt::format(
      "Bisection: halves {} and {} drawn ones, {}, {} of a {}, {} both ways;\n"
      "  {} where each process has 10 GB/s each way, at most {}\n",
      first, bisection.random_halves, counted(bisection_steps(plan), "step"),
      counted(bisection.processes, "process"), to_string(plan.unit), format_size(plan.message),
      format_duration(bisection_time(plan, kUsual_MBps)), format_duration(bisection.time));
}

std::string per_host_plan_text(const Plan& plan) {
  return fmt::format(
      "Processes per host: {}; pairs of hosts, some alone and all at once, {} one way and both\n"
      "  ways, and {} byte with {} under way\n",
      fmt::join(plan.per_host, ", "), format_size(plan.message), kShortBytes, kWindow);
}

}  // namespace

std::string network_plan_text(const Plan& plan) {
  return (plan.bisection ? bisection_plan_text(plan) : "") +
         (!plan.per_host.empty() ? per_host_plan_text(plan) : "");
}

std::string network_words(const Plan& plan, const NetworkRecord& record) {
  std::string text;
  if (plan.bisection) {
    if (const auto figures = bisection_figures(plan, record.bisection)) {
      text += fmt::format(", bisection {:.3f} GB/s", figures->minimum_MBps / kMBPerGB);
    }
  }
  if (const auto figures = per_host_figures(plan, record.per_host); figures.one_way_MBps) {
    text += fmt::format(", {} of a host {:.3f} GB/s", counted(*figures.processes, "process"),
                        *figures.one_way_MBps / kMBPerGB);
  }
  return text;
}

namespace {

std::string kind_of(const Plan& plan, std::size_t halves) {
  if (halves > 0) {
    return "random";
  }
  const auto& bisection = *plan.bisection;
  return bisection.by_switches ? "switches" : bisection.first_half.empty() ? "order" : "given";
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
  const auto figures = bisection_figures(plan, record);
  if (!figures) {
    return nullptr;
  }
  return {{"halves", figures->halves},
          {"step", figures->step},
          {"first", figures->at_minimum.slowest.first},
          {"second", figures->at_minimum.slowest.second},
          {"pair_MBps", figures->slowest_MBps},
          {"full_MBps", or_null(figures->full_MBps)}};
}

std::string ns_text(const std::vector<std::int64_t>& ns) {
  return fmt::format("{}", fmt::join(ns, " "));
}

}  // namespace

Json bisection_plan_json(const Plan& plan) {
  if (!plan.bisection) {
    return nullptr;
  }
  const auto& bisection = *plan.bisection;
  return {{"message_bytes", plan.message},
          {"processes", bisection.processes},
          {"steps", cut_of(plan, 0).steps()},
          {"random_halves", bisection.random_halves},
          {"first_half", bisection.first_half.empty() ? Json(nullptr) : Json(bisection.first_half)},
          {"longest_s", bisection.time},
          {"at_10_GBps_s", bisection_time(plan, kUsual_MBps)}};
}

Json per_host_plan_json(const Plan& plan) {
  if (plan.per_host.empty()) {
    return nullptr;
  }
  return {{"message_bytes", plan.message},
          {"short_bytes", kShortBytes},
          {"window", kWindow},
          {"processes", plan.per_host}};
}

Json bisection_json(const Plan& plan, const BisectionRecord& record) {
  if (!plan.bisection) {
    return nullptr;
  }
  const auto& bisection = *plan.bisection;
  Json halves = Json::array();
  for (std::size_t number = 0; std::cmp_less_equal(number, bisection.random_halves); ++number) {
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

Json per_host_json(const Plan& plan, const std::vector<PerHostResult>& rows) {
  if (plan.per_host.empty()) {
    return nullptr;
  }
  const auto each = [&](const auto& get) { return json_list(rows, get); };
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
  const auto per_host = per_host_figures(plan, record.per_host);
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
