#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/b_eff/definition.hpp"
#include "core/b_eff/pattern_table.hpp"
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

/// A loop shall last from `shortest` to twice that.
struct LoopTime {
  Seconds shortest = 0;

  [[nodiscard]] Seconds longest() const { return 2 * shortest; }
  /// Whether a loop of this time is outside by more than a factor of two.
  [[nodiscard]] bool is_missed_by(Seconds loop) const {
    return loop < shortest / 2 || loop > 2 * longest();
  }
  /// However the time was written: 2.5ms and 2500us are the same.
  [[nodiscard]] bool is_of(Definition definition) const {
    constexpr Seconds kRounding = 1e-9;
    return std::abs(shortest - row(definition).shortest_loop) < kRounding;
  }
};

/// Iterations of the quick latency measurement from which the first loop length comes.
inline constexpr std::int64_t kLatencyIterations = 10;

/// What is known of one message size: the time of one iteration, slowest process.
struct IterationTime {
  Bytes size;
  Seconds seconds;
};

/// Loop length for the next message size from the one or two sizes before it; from one time of the
/// same size, given as `last`, where that is known: for the shortest message by the latency
/// measurement, for one that missed the window by its latest loop. Aims at the middle of the
/// window; the time per iteration is taken to grow with the size along the line through the two
/// sizes before, but not to shrink and not to grow faster than the size; from one size alone it is
/// taken to stay. Where the next size is more than four times the last, as in a choice of sizes,
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

/// Repetitions of each measurement; the best counts.
inline constexpr int kRepetitions = 3;

/// What the user asks for. Defaults are the official schedule; empty lists mean "all of them".
struct PlanRequest {
  int processes = 0;                  ///< at least 2
  Bytes memory_per_process = 0;       ///< more than 512 KiB; the definition may have its own
  std::optional<std::uint64_t> seed;  ///< at most kLargestSeed; a measurement needs one
  Definition definition = Definition::k3_5;
  RandomOrder random_order = RandomOrder::kUniform;
  std::vector<Method> methods;    ///< empty: the three official ones
  std::vector<int> pattern_ids;   ///< empty: all that exist for `processes`
  std::vector<int> size_indices;  ///< empty: all 21
  int repetitions = kRepetitions;
  std::optional<Seconds> shortest_loop;  ///< empty: that of the definition
  bool on_device = false;                ///< buffers are in the memory of devices
};

/// A method beside the value by which this MPI library cannot move messages.
struct NotMeasured {
  Method method;
  std::string why;
};

/// Everything that will be measured, fixed before the first measurement and the same on all
/// processes: the request, with methods and sizes filled in, and what follows from it. O(1) memory
/// in the number of processes.
struct Plan : PlanRequest {
  std::array<Bytes, kMessageSizes> sizes{};
  LoopTime loop_time;
  std::vector<Pattern> patterns;            ///< those to be measured, in order of their ids
  int existing_patterns = 0;                ///< those that exist for this number of processes
  int averaged_patterns = 0;                ///< those of them that enter the value
  std::vector<NotMeasured> not_measured{};  ///< found out by trying, before the first measurement

  /// Nothing follows yet: see make_plan().
  explicit Plan(const PlanRequest& request) : PlanRequest(request) {}

  [[nodiscard]] Bytes lmax() const { return sizes.back(); }
  /// Whether a pattern is measured by a method of the plan.
  [[nodiscard]] bool measures(const Pattern& pattern, Method method) const {
    return pattern.has_method(method) &&
           std::ranges::find(not_measured, method, &NotMeasured::method) == not_measured.end();
  }
};

/// Throws PlanError when the memory is too small, a pattern id does not exist for this
/// number of processes, or nothing is left to be measured.
Plan make_plan(const PlanRequest& request);

/// Timed loops of one repetition of `pattern`.
std::int64_t loops_of_repetition(const Plan& plan, const Pattern& pattern);

/// Number of timed loops that the plan records.
std::int64_t planned_loops(const Plan& plan);

/// Time of all loops when each keeps within the window, warm-up and synchronisation included; no
/// bound: messages that take longer than the window make a run longer.
Seconds expected_time(const Plan& plan);

/// What would be measured and how long that takes. `memory_source` says where the memory per
/// process comes from; `time_limit` bounds the run.
std::string plan_text(const Plan& plan, const std::string& memory_source,
                      std::optional<Seconds> time_limit);

}  // namespace beff::b_eff
