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

/// What rewrite and read took for the bytes of the initial write, relative to its time, over all
/// time-weighted patterns and partitions, without what agreeing took. A pattern more than three
/// times (kGuard) as slow as the median counts as that: the guard would cut it, or the file system
/// stalled. A pattern that failed, or whose time went into agreeing, does not count; without any
/// the ratio is 1.
[[nodiscard]] CostRatio measured_cost(const Plan& plan, const std::vector<Sample>& samples,
                                      const std::vector<PartitionNotes>& notes);

/// Bytes that each process prepares in its buffer before the clocks of all patterns.
[[nodiscard]] Bytes prepared_bytes(const Plan& plan);

/// What a probe found out.
struct ProbeFindings {
  CostRatio cost;       ///< measured_cost()
  Seconds spent;        ///< from the begin of the run to the end of the probe
  Seconds preparing;    ///< that the measured run will spend between its patterns
  double removing = 0;  ///< of files, relative to the time of their initial write
};

/// The plan of the measured run. Of T it takes what the probe spent, but never more than half, so
/// that calls too slow for the probe still are measured; and what preparing and removing will take.
[[nodiscard]] Plan with_probe(Plan plan, const ProbeFindings& found);

}  // namespace beff::b_eff_io
