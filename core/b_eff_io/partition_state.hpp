#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/b_eff_io/budget.hpp"
#include "core/b_eff_io/layout.hpp"
#include "core/b_eff_io/plan.hpp"

namespace beff::b_eff_io {

/// What rewrite and read need to know of a written pattern.
struct Written {
  Placement placement{};
  std::int64_t calls = 0;     ///< of the initial write, without error
  std::int64_t reserved = 0;  ///< calls that the file has room for before the next pattern
  bool rewritten = false;     ///< all of them
  bool usable = false;
};

/// What one type of a partition keeps from access to access.
struct TypeState {
  Type type;
  std::vector<Pattern> patterns;
  std::vector<Written> written;  ///< as many as patterns
  bool unusable = false;         ///< its file could not be opened or closed
};

/// What syncs took, the older ones counting less. The first comes from the once-pattern, where the
/// latency of a sync makes it too high rather than too low: so the first long pattern may be short,
/// but never eats the time of all others.
struct SyncCost {
  double bytes = 0;
  Seconds time = 0;

  void learn(Bytes synced, Seconds took) {
    bytes = bytes / 2 + static_cast<double>(synced);
    time = time / 2 + took;
  }
  [[nodiscard]] Seconds of(Bytes written) const {
    return bytes > 0 ? static_cast<double>(written) * time / bytes : 0;
  }
};

/// What a partition keeps from access to access.
struct PartitionState {
  std::vector<TypeState> types;  ///< as many as Plan::types
  Bytes data = 0;                ///< written so far
  Seconds block_end = 0;         ///< ideal end of the initial write
  bool counted_planned = false;
  SyncCost sync_cost;
};

[[nodiscard]] PartitionState fresh_state(const Plan& plan);

/// The calls of the patterns that were written so far.
[[nodiscard]] std::vector<MeasuredCalls> calls_written(const PartitionState& state);

/// A pattern of the initial write, put behind `before`, the one before it in its file (null for the
/// first one).
[[nodiscard]] Written place_pattern(const Plan& plan, int processes, const Pattern& pattern,
                                    const Written* before, const CountedTypes& counted);

/// Calls that a pattern shall make; empty where time decides.
[[nodiscard]] std::optional<std::int64_t> calls_expected(const Pattern& pattern, Access access,
                                                         const Written& written);

/// Why no call of a pattern can be made; empty where it can.
[[nodiscard]] std::optional<std::string> reason_to_leave_out(const Pattern& pattern, Access access,
                                                             const Written& written,
                                                             const Room& room);

}  // namespace beff::b_eff_io
