#pragma once

#include <string>

#include "core/b_eff_io/machine.hpp"
#include "core/b_eff_io/measure.hpp"
#include "core/b_eff_io/partition_state.hpp"
#include "core/b_eff_io/pattern_calls.hpp"

namespace beff::b_eff_io {

/// What all steps of measuring share.
struct Measuring {
  const Plan& plan;
  Machine& machine;
  Measurement& measured;
  const Hooks& hooks;
  Latest latest{};
  bool aborted = false;  ///< see Ending::kAbort

  Outcome agreed(Outcome outcome) {
    latest.note(outcome);
    return outcome;
  }
  [[nodiscard]] PartitionNotes& notes_of(const Block& block) const {
    return measured.partitions.at(static_cast<std::size_t>(block.partition));
  }
  void tell_notes(const Block& block) const {
    hooks.notes(static_cast<std::size_t>(block.partition), notes_of(block));
  }
};

/// One type of a partition in an access method: opens, goes through the patterns, closes.
class TypeRun {
 public:
  TypeRun(Measuring& measuring, const Block& block, PartitionState& partition, TypeState& state);

  void run();

 private:
  void plan_counted_once();
  void measure_patterns();
  void measure_pattern(const Pattern& pattern, Written& written);
  [[nodiscard]] SpaceBudget space_for(const PatternWork& work, const Pattern& pattern,
                                      const Room& room) const;
  [[nodiscard]] BatchLimits limits(const PatternWork& work, const Pattern& pattern,
                                   const Written& written, const SpaceBudget& space,
                                   Seconds pattern_start) const;
  void finish_pattern(const PatternWork& work, Written& written, const PatternCalls& calls);
  void note_written(const PatternWork& work, Written& written, const PatternCalls& calls, bool ok);
  void close();

  void leave_out(Status status, const std::string& reason);
  void leave_out_pattern(int pattern, const std::string& reason);
  void record(const Sample& sample);
  void tell();

  Measuring* measuring_;
  TypeWork work_;
  PartitionState* partition_;
  TypeState* state_;
  TypeSample sample_;
  Bytes position_ = 0;  ///< where a shared pointer stands
};

}  // namespace beff::b_eff_io
