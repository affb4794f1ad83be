#include "core/b_eff_io/time_probe.hpp"

#include <algorithm>
#include <limits>

#include "core/b_eff_io/batch_control.hpp"

namespace beff::b_eff_io {
namespace {

constexpr double kPartOfTime = 20;
constexpr Seconds kLongestProbe = 60;

const Sample* find(const std::vector<Sample>& samples, const Sample& like, Access access) {
  const auto found = std::ranges::find_if(samples, [&](const Sample& s) {
    return s.partition == like.partition && s.pattern == like.pattern && s.access == access;
  });
  return found == samples.end() ? nullptr : &*found;
}

/// What one pattern took of the time of its initial write.
struct PatternCost {
  double units;
  double ratio;
};

std::vector<PatternCost> pattern_costs(const Plan& plan, const std::vector<Sample>& samples,
                                       Access access) {
  std::vector<PatternCost> costs;
  for (const auto& write : samples) {
    const auto& pattern = plan.pattern(write.pattern);
    if (write.access != Access::kWrite || !row(pattern.type).official || pattern.units == 0) {
      continue;
    }
    const Sample* other = find(samples, write, access);
    const auto before = write.bandwidth_MBps();
    const auto now = other != nullptr ? other->bandwidth_MBps() : std::nullopt;
    if (before && now) {
      costs.push_back({.units = static_cast<double>(pattern.units), .ratio = *before / *now});
    }
  }
  return costs;
}

/// The mean by U of the ratios, each of them at most `bound`.
double mean_below(const std::vector<PatternCost>& costs, double bound) {
  double sum = 0;
  double units = 0;
  for (const auto& cost : costs) {
    sum += cost.units * std::min(cost.ratio, bound);
    units += cost.units;
  }
  return units > 0 ? sum / units : 1;
}

/// The run cuts a pattern at kGuard times the mean, so the mean falls until it agrees with its cut.
double cost_of(const std::vector<PatternCost>& costs) {
  constexpr int kSteps = 100;
  constexpr double kAgrees = 1e-6;
  double mean = mean_below(costs, std::numeric_limits<double>::infinity());
  for (int step = 0; step < kSteps; ++step) {
    const double cut = mean_below(costs, kGuard * mean);
    if (cut >= mean * (1 - kAgrees)) {
      break;
    }
    mean = cut;
  }
  return mean;
}

}  // namespace

bool wants_probe(const Plan& plan) {
  return plan.time >= kShortestProbed && !plan.cost_given && !plan.max_data && !plan.max_segment;
}

Plan probe_plan(const Plan& plan) {
  Plan probe = plan;
  probe.time = std::min(plan.time / kPartOfTime, kLongestProbe);
  probe.m_part = kSmallestMPart;
  probe.patterns = make_patterns(plan.types, probe.m_part);
  return probe;
}

CostRatio measured_cost(const Plan& plan, const std::vector<Sample>& samples) {
  return {.rewrite = cost_of(pattern_costs(plan, samples, Access::kRewrite)),
          .read = cost_of(pattern_costs(plan, samples, Access::kRead))};
}

Plan with_probe(Plan plan, CostRatio cost, Seconds probed) {
  plan.cost = cost;
  plan.probed = std::min(probed, plan.time / 2);
  return plan;
}

}  // namespace beff::b_eff_io
