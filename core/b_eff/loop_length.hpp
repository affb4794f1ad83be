#pragma once

#include <cmath>
#include <cstdint>
#include <optional>

#include "core/units/quantity_text.hpp"

namespace beff::b_eff {

/// A loop shall last from `shortest` to twice that: 2.5 to 5 ms in the definition.
struct LoopTime {
  Seconds shortest = kOfficialShortest;

  static constexpr Seconds kOfficialShortest = 2.5e-3;
  [[nodiscard]] Seconds longest() const { return 2 * shortest; }
  /// However the time was written: 2.5ms and 2500us are the same.
  [[nodiscard]] bool is_official() const {
    constexpr Seconds kRounding = 1e-9;
    return std::abs(shortest - kOfficialShortest) < kRounding;
  }
};

/// Iterations of the quick latency measurement from which the first loop length comes.
inline constexpr std::int64_t kLatencyIterations = 10;

/// What is known of one message size: the time of one iteration, slowest process.
struct IterationTime {
  Bytes size;
  Seconds seconds;
};

/// Loop length for the next message size from the one or two sizes before it (for the shortest
/// message: from the latency measurement, given as `last` with the same size). Aims at the middle
/// of the window; the time per iteration is taken to grow with the size along the line through the
/// two sizes before, but not to shrink and not to grow faster than the size; from one size alone it
/// is taken to stay. At least 1.
std::int64_t next_loop_length(const LoopTime& window,
                              const std::optional<IterationTime>& before_last,
                              const IterationTime& last, Bytes next_size);

/// Definition 3.1: min(300, L_max / L), at least 1.
std::int64_t fixed_loop_length(Bytes lmax, Bytes size);

}  // namespace beff::b_eff
