#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/b_eff_io/budget.hpp"
#include "core/b_eff_io/plan.hpp"
#include "core/b_eff_io/repetitions.hpp"

namespace beff::b_eff_io {

/// What one type of a partition keeps from access to access.
struct TypeState {
  Type type;
  bool unusable = false;  ///< its file could not be opened or closed
};

/// What a partition keeps from access to access.
struct PartitionState {
  explicit PartitionState(const Plan& plan);

  /// Those of a type, in the order of their numbers.
  [[nodiscard]] std::span<PatternState> patterns_of(Type type);

  std::vector<TypeState> types;        ///< as many as Plan::types
  std::vector<PatternState> patterns;  ///< as many as Plan::patterns
  Bytes data = 0;                      ///< written so far
  bool counted_planned = false;
};

/// Puts a pattern of the initial write behind `before`, the one before it in its file (null for the
/// first one). `segment` is L_SEG.
void place_pattern(const Plan& plan, int processes, PatternState& state, const PatternState* before,
                   Bytes segment);

/// Calls that a pattern shall make; empty where time decides.
[[nodiscard]] std::optional<std::int64_t> calls_expected(const PatternState& state, Access access);

/// Why no call of a pattern can be made; empty where it can.
[[nodiscard]] std::optional<std::string> reason_to_leave_out(const PatternState& state,
                                                             Access access, const Room& room);

}  // namespace beff::b_eff_io
