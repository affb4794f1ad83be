#pragma once

#include <vector>

#include "core/b_eff_io/plan.hpp"
#include "core/b_eff_io/sample.hpp"

namespace beff::b_eff_io {

/// Rewrite and read repeat what was written, so T can only be kept by knowing what they take before
/// the first byte is written. A probe finds out: the same schedule, a twentieth of T long, on files
/// of its own. It is worth its time from this T on.
inline constexpr Seconds kShortestProbed = 60;

/// Whether T is to be kept by a probe: not in short runs, not where the user gives the cost, and
/// not where the user's bounds end the write before its time.
[[nodiscard]] bool wants_probe(const Plan& plan);

/// The plan of the probe: all partitions and types, T/20 but at most a minute, and the smallest
/// M_PART, because a single call of a large one takes longer than the probe gives it.
[[nodiscard]] Plan probe_plan(const Plan& plan);

/// What a byte took in rewrite and read, relative to the write: the mean over the time-weighted
/// patterns by U, and over the partitions; a pattern slower than the guard lets it be counts as the
/// guard cuts it. A pattern that failed does not count; without any the ratio is 1.
[[nodiscard]] CostRatio measured_cost(const Plan& plan, const std::vector<Sample>& samples);

/// The plan of the measured run, after a probe that took `probed`: of T, but never more than half
/// of it, so that calls too slow for the probe still are measured.
[[nodiscard]] Plan with_probe(Plan plan, CostRatio cost, Seconds probed);

}  // namespace beff::b_eff_io
