#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/b_eff_io/batch_control.hpp"
#include "core/b_eff_io/machine.hpp"
#include "core/b_eff_io/measure.hpp"
#include "core/b_eff_io/partition.hpp"

namespace beff::b_eff_io {

/// What was agreed on last.
struct Latest {
  bool stop = false;
  Bytes free = kUnlimited;

  void note(const Outcome& outcome) {
    stop = stop || outcome.stop;
    free = outcome.free;
  }
};

/// The calls of one pattern.
struct PatternCalls {
  std::int64_t tried = 0;  ///< calls asked for
  std::int64_t made = 0;   ///< of them agreed to be without an error
  std::int64_t decisions = 0;
  StopReason stop = StopReason::kStopped;
  Seconds loop_time = 0;             ///< from the start of the pattern's clock
  std::optional<std::string> error;  ///< the library's text, where a call failed
};

/// What all steps of measuring share.
struct Measuring {
  const Plan& plan;
  Machine& machine;
  Measurement& measured;
  const Hooks& hooks;
  Latest latest{};
  bool aborted = false;  ///< see Ending::kAbort

  Outcome noted(Outcome outcome) {
    latest.note(outcome);
    return outcome;
  }
  [[nodiscard]] PartitionNotes& notes_of(const Block& block) const {
    return measured.partitions.at(static_cast<std::size_t>(block.partition));
  }
  void show_notes(const Block& block) const {
    hooks.notes(static_cast<std::size_t>(block.partition), notes_of(block));
  }
};

/// An access method's way through one type of a partition: opens, goes through the patterns,
/// closes.
class TypePass {
 public:
  TypePass(Measuring& measuring, const Block& block, PartitionState& partition, TypeState& state);

  void run();

 private:
  void plan_counted_once();
  void measure_patterns();
  void measure_pattern(PatternState& state);
  [[nodiscard]] SpaceBudget space_for(const PatternWork& work, const Pattern& pattern,
                                      const Room& room) const;
  [[nodiscard]] BatchLimits limits(const PatternWork& work, const PatternState& state,
                                   const SpaceBudget& space) const;
  /// Starts the pattern and makes its calls, batch by batch.
  [[nodiscard]] PatternCalls call_in_batches(const PatternWork& work, const BatchLimits& limits);
  void finish_pattern(const PatternWork& work, PatternState& state, const PatternCalls& calls);
  void note_written(const PatternWork& work, PatternState& state, const PatternCalls& calls,
                    bool ok);
  void close();

  void leave_out(Status status, const std::string& reason);
  void leave_out_pattern(int pattern, const std::string& reason);
  void record(const Sample& sample);
  void record_type();

  Measuring* measuring_;
  TypeWork work_;
  PartitionState* partition_;
  TypeState* state_;
  std::span<PatternState> patterns_;
  TypeSample sample_;
  Bytes position_ = 0;  ///< where a shared pointer stands
};

}  // namespace beff::b_eff_io
