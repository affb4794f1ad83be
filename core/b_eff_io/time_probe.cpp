#include "core/b_eff_io/time_probe.hpp"

#include <algorithm>
#include <optional>

#include "core/b_eff_io/batch_control.hpp"

namespace beff::b_eff_io {
namespace {

constexpr double kPartOfTime = 20;
constexpr Seconds kLongestProbe = 60;
constexpr double kLargestPart = 0.25;  ///< of what is left of T, for preparing or removing

const Sample* find(const std::vector<Sample>& samples, const Sample& like, Access access) {
  const auto found = std::ranges::find_if(samples, [&](const Sample& s) {
    return s.partition == like.partition && s.pattern == like.pattern && s.access == access;
  });
  return found == samples.end() ? nullptr : &*found;
}

/// What one pattern took for the bytes of its initial write.
struct PatternCost {
  double units;
  Seconds write;
  Seconds other;
};

/// Without what agreeing took, which is much of a pattern of the probe, but little of a longer one;
/// empty where it was more than half, so that little is known of the calls.
std::optional<Seconds> time_of_calls(const Sample& sample,
                                     const std::vector<PartitionNotes>& notes) {
  if (!sample.bandwidth_MBps()) {
    return std::nullopt;
  }
  const auto& partition = notes.at(static_cast<std::size_t>(sample.partition));
  const Seconds calls =
      sample.time - static_cast<double>(sample.decisions + 1) * partition.decision_cost;
  return 2 * calls >= sample.time ? std::optional(calls) : std::nullopt;
}

std::vector<PatternCost> pattern_costs(const Plan& plan, const std::vector<Sample>& samples,
                                       const std::vector<PartitionNotes>& notes, Access access) {
  std::vector<PatternCost> costs;
  for (const auto& write : samples) {
    const auto& pattern = plan.pattern(write.pattern);
    if (write.access != Access::kWrite || !row(pattern.type).official || pattern.units == 0) {
      continue;
    }
    const Sample* other = find(samples, write, access);
    const auto before = time_of_calls(write, notes);
    const auto now = other != nullptr ? time_of_calls(*other, notes) : std::nullopt;
    if (before && now) {
      const double all = static_cast<double>(write.bytes) / static_cast<double>(other->bytes);
      costs.push_back(
          {.units = static_cast<double>(pattern.units), .write = *before, .other = *now * all});
    }
  }
  return costs;
}

/// The ratio that half of the patterns, by U, stay below. `costs` is not empty.
double median_ratio(std::vector<PatternCost> costs) {
  const auto ratio = [](const PatternCost& cost) { return cost.other / cost.write; };
  std::ranges::sort(costs, {}, ratio);
  double units = 0;
  for (const auto& cost : costs) {
    units += cost.units;
  }
  double below = 0;
  const auto middle = std::ranges::find_if(costs, [&](const PatternCost& cost) {
    below += cost.units;
    return 2 * below >= units;
  });
  return ratio(*middle);
}

/// Not the mean of the ratios: short writes scatter, and the mean of their inverse is too high.
double cost_of(const std::vector<PatternCost>& costs) {
  if (costs.empty()) {
    return 1;
  }
  const double bound = kGuard * median_ratio(costs);
  Seconds writes = 0;
  Seconds others = 0;
  for (const auto& cost : costs) {
    writes += cost.write;
    others += std::min(cost.other, bound * cost.write);
  }
  return others / writes;
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

CostRatio measured_cost(const Plan& plan, const std::vector<Sample>& samples,
                        const std::vector<PartitionNotes>& notes) {
  return {.rewrite = cost_of(pattern_costs(plan, samples, notes, Access::kRewrite)),
          .read = cost_of(pattern_costs(plan, samples, notes, Access::kRead))};
}

Bytes prepared_bytes(const Plan& plan) {
  Bytes sum = 0;
  for (const Access access : kAccesses) {
    for (const auto& pattern : plan.patterns) {
      sum += plan.runs(access, pattern.type) ? pattern.memory : 0;
    }
  }
  return sum * static_cast<Bytes>(plan.partitions.size());
}

Plan with_probe(Plan plan, const ProbeFindings& found) {
  plan.cost = found.cost;
  plan.probed = std::min(found.spent, plan.time / 2);
  plan.aside = {.preparing = std::min(found.preparing, kLargestPart * (plan.time - plan.probed)),
                .removing = 0};
  const double writes =
      block_time(plan, Access::kWrite) * static_cast<double>(plan.partitions.size());
  // The removal shortens the writes, and with them itself.
  const Seconds left = plan.time - plan.probed - plan.aside.preparing;
  plan.aside.removing =
      std::min(found.removing * writes / (1 + found.removing * writes / left), kLargestPart * left);
  return plan;
}

}  // namespace beff::b_eff_io
