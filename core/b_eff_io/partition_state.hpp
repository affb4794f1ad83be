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

/// What a partition keeps from access to access.
struct PartitionState {
  std::vector<TypeState> types;  ///< as many as Plan::types
  Bytes data = 0;                ///< written so far
  bool counted_planned = false;
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
