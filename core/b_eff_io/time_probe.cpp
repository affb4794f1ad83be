#include "core/b_eff_io/time_probe.hpp"

#include <algorithm>

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

double cost_of(const Plan& plan, const std::vector<Sample>& samples, Access access) {
  double sum = 0;
  double units = 0;
  for (const auto& write : samples) {
    const auto& pattern = plan.pattern(write.pattern);
    if (write.access != Access::kWrite || !row(pattern.type).official) {
      continue;
    }
    const Sample* other = find(samples, write, access);
    const auto before = write.bandwidth_MBps();
    const auto now = other != nullptr ? other->bandwidth_MBps() : std::nullopt;
    if (before && now) {
      sum += pattern.units * *before / *now;
      units += pattern.units;
    }
  }
  return units > 0 ? sum / units : 1;
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
  return {.rewrite = cost_of(plan, samples, Access::kRewrite),
          .read = cost_of(plan, samples, Access::kRead)};
}

Plan with_probe(Plan plan, CostRatio cost, Seconds probed) {
  plan.cost = cost;
  plan.probed = std::min(probed, plan.time / 2);
  return plan;
}

}  // namespace beff::b_eff_io
