#pragma once

#include <cstdint>
#include <optional>

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
  bool latency;  ///< quick latency measurement: decides the first loop length, is not recorded
};

/// Goes through a plan loop by loop: pattern, method, repetition, size, in this nesting, so that
/// the repetitions of a measurement lie a whole sweep of sizes apart. Pure: measured times in, next
/// loop out; every process runs its own copy on the same agreed times.
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
  void skip_missing_methods();
  void advance();
  [[nodiscard]] bool finished() const { return pattern_ == plan_->patterns.size(); }
  [[nodiscard]] Bytes size_at(std::size_t position) const;
  [[nodiscard]] std::int64_t loop_length() const;

  const Plan* plan_;
  std::size_t pattern_ = 0;
  std::size_t method_ = 0;
  int repetition_ = 0;
  std::size_t size_ = 0;  ///< position in Plan::size_indices
  std::int64_t done_ = 0;
  std::optional<IterationTime> latency_;  ///< of this pattern and method
  std::optional<IterationTime> before_last_;
  std::optional<IterationTime> last_;
};

}  // namespace beff::b_eff
