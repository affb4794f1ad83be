#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>

#include "core/units/quantity_text.hpp"

namespace beff::b_eff {

inline constexpr int kMessageSizes = 21;
/// The sizes up to 4 KiB are the powers of two 2^0 … 2^12; the rest approach L_max.
inline constexpr int kFixedSizes = 13;
inline constexpr Bytes kLargestFixedSize = 4096;
/// Loops of the longest three sizes, which take a few iterations at most, are not warmed up.
inline constexpr int kWarmedUpSizes = kMessageSizes - 3;
/// L_max = memory per process / 128 (IPDPS paper, section 4).
inline constexpr Bytes kMemoryToLmax = 128;
/// Upper bound of L_max where int has 32 bits (IPDPS paper, "On maximum message size").
inline constexpr Bytes kLmaxBound = 128 * kMiB;

/// L_max in bytes for the given memory per process in bytes, bounded by kLmaxBound.
/// Throws PlanError when L_max would not exceed 4096 byte.
Bytes largest_message(Bytes memory_per_process);

/// The 21 message sizes in bytes, never decreasing: 1, 2, 4 … 4096, then 4096·a^k for
/// k = 1…8 with 4096·a^8 = lmax, each rounded to the nearest byte. Requires lmax > 4096.
std::array<Bytes, kMessageSizes> message_sizes(Bytes lmax);

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
/// is taken to stay. Where the next size is more than four times the last, as in a choice of sizes,
/// not below its bytes at 10 GB/s: a first message that was slow by chance must not promise a fast
/// long one. At least 1.
std::int64_t next_loop_length(const LoopTime& window,
                              const std::optional<IterationTime>& before_last,
                              const IterationTime& last, Bytes next_size);

/// Definition 3.1: min(300, L_max / L), at least 1.
std::int64_t fixed_loop_length(Bytes lmax, Bytes size);

/// One timed loop as it is recorded. Times are of the whole loop; mean and minimum are over the
/// processes that take part in the pattern.
struct Sample {
  int pattern;     ///< pattern id
  int size;        ///< index into the message sizes
  int method;      ///< index into the plan's methods
  int repetition;  ///< from 0
  std::int64_t loop_length;
  Seconds time_max;
  Seconds time_avg;
  Seconds time_min;
  int slowest_rank;  ///< rank in MPI_COMM_WORLD that took time_max
};

/// Where the elapsed time of the measurement went, in seconds, as rank 0 saw it. What is left over
/// is barriers, reductions, waiting and interruptions.
struct Accounting {
  Seconds elapsed = 0;  ///< from before the first loop to after the last
  Seconds loops = 0;    ///< sum of time_max over all samples
  Seconds latency = 0;  ///< quick latency measurements
  Seconds warm_up = 0;
  Seconds preparation_and_checks = 0;

  [[nodiscard]] Seconds unaccounted() const {
    return elapsed - loops - latency - warm_up - preparation_and_checks;
  }
};

}  // namespace beff::b_eff
