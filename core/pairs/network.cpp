#include "core/pairs/network.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <ranges>

#include "core/pairs/plan.hpp"

namespace beff::pairs {
namespace {

/// So much of the best is as good as the best.
constexpr double kFull = 0.95;

/// The best rate of the pair in the middle, and the fewest processes that come near it.
struct Best {
  double rate = 0;
  int processes = 0;
};

std::optional<Best> best_alone(const Plan& plan, const PerHostRecord& record, Traffic traffic) {
  std::vector<Best> found;
  for (const auto& row : record.rows) {
    if (row.traffic == traffic && row.alone) {
      const double ns = median({row.ns.begin(), row.ns.end()});
      found.push_back(
          {.rate = rate_of(plan, row.processes, traffic, ns), .processes = row.processes});
    }
  }
  if (found.empty()) {
    return std::nullopt;
  }
  const double best = std::ranges::max(found, {}, &Best::rate).rate;
  const auto enough =
      std::ranges::find_if(found, [&](const Best& one) { return one.rate >= kFull * best; });
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
  std::optional<BisectionFigures> found;
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
      if (!found) {
        found.emplace().maximum_MBps = MBps;
        found->by_mean_time_MBps = by_mean_time_MBps;
      }
      found->maximum_MBps = std::max(found->maximum_MBps, MBps);
      found->by_mean_time_MBps = std::min(found->by_mean_time_MBps, by_mean_time_MBps);
      if (count == 1 || MBps < found->minimum_MBps) {
        found->minimum_MBps = MBps;
        found->halves = static_cast<int>(halves);
        found->step = static_cast<int>(place);
        found->at_minimum = steps[place];
      }
    }
  }
  if (!found) {
    return std::nullopt;
  }
  found->mean_MBps = sum / count;
  const auto cut = cut_of(plan, found->halves);
  found->step = spread_step(found->step, cut.steps());
  found->slowest_MBps = both_ways(static_cast<double>(found->at_minimum.slowest_ns));
  if (!record.alone.empty()) {
    std::vector<double> rates;
    for (const auto& alone : record.alone) {
      rates.push_back(both_ways(static_cast<double>(alone.ns)));
    }
    const auto pairs = cut.pairs_of_step(found->step).size();
    found->full_MBps = static_cast<double>(pairs) * median(std::move(rates));
  }
  return found;
}

PerHostFigures per_host_figures(const Plan& plan, const PerHostRecord& record) {
  PerHostFigures figures;
  if (const auto one_way = best_alone(plan, record, Traffic::kOneWay)) {
    figures.one_way_MBps = one_way->rate;
    figures.processes = one_way->processes;
  }
  if (const auto both_ways = best_alone(plan, record, Traffic::kBothWays)) {
    figures.both_ways_MBps = both_ways->rate;
  }
  if (const auto messages = best_alone(plan, record, Traffic::kMessages)) {
    figures.messages_per_s = messages->rate;
    figures.messages_processes = messages->processes;
  }
  return figures;
}

}  // namespace beff::pairs
