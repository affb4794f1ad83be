#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/b_eff/loop_length.hpp"
#include "core/b_eff/plan.hpp"

namespace beff::b_eff {

/// The next loop to run. Indices point into the plan's lists.
struct LoopOrder {
  std::size_t pattern;
  std::size_t method;
  int size;  ///< index into Plan::sizes
  int repetition;
  std::int64_t loop_length;
  bool warm_up;  ///< one iteration that is not timed comes before the loop
  bool latency;  ///< quick latency measurement: decides the first loop length, is not recorded
};

/// Goes through a plan loop by loop: repetition, pattern, method, size, in this nesting, so that
/// the repetitions of a measurement lie a third of the run apart, and after the first of them there
/// is a whole value. Pure: measured times in, next loop out; every process runs its own copy on the
/// same agreed times.
class Schedule {
 public:
  /// `plan` must outlive the schedule.
  explicit Schedule(const Plan& plan);

  /// The loop to run now; empty when the plan is done. Changes only by completed().
  [[nodiscard]] std::optional<LoopOrder> next() const;
  /// Tells how long the loop of next() took on the slowest process.
  void completed(Seconds slowest_process);
  /// Recorded loops so far.
  [[nodiscard]] std::int64_t loops_done() const { return done_; }

 private:
  /// All message sizes of a pattern by a method.
  struct Sweep {
    std::size_t pattern;
    std::size_t method;
  };

  void advance();
  [[nodiscard]] Bytes size_at(std::size_t position) const;
  [[nodiscard]] std::int64_t loop_length() const;

  const Plan* plan_;
  std::vector<Sweep> sweeps_;  ///< of one repetition
  int repetition_ = 0;
  std::size_t sweep_ = 0;
  std::size_t size_ = 0;  ///< position in Plan::size_indices
  std::int64_t done_ = 0;
  std::optional<IterationTime> before_last_;  ///< of this sweep
  std::optional<IterationTime> last_;         ///< of this sweep; first its latency
};

}  // namespace beff::b_eff
