#include "core/b_eff_io/measure.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace beff::b_eff_io {
namespace {

/// A shared pointer after an error.
constexpr Bytes kNowhere = -1;

/// A pattern without a call.
Sample without_calls(const Block& block, int pattern, Status status) {
  return {
      .partition = block.partition, .pattern = pattern, .access = block.access, .status = status};
}

std::optional<std::string> error_of(const PatternCalls& calls, const FinishOutcome& outcome) {
  if (calls.error) {
    return calls.error;
  }
  if (outcome.error) {
    return outcome.text;
  }
  if (outcome.wrong > 0) {
    return fmt::format("{} of {} chunks compared hold wrong bytes", outcome.wrong, outcome.checked);
  }
  return std::nullopt;
}

}  // namespace

TypePass::TypePass(Measuring& measuring, const Block& block, PartitionState& partition,
                   TypeState& state)
    : measuring_(&measuring),
      work_{block, state.type},
      partition_(&partition),
      state_(&state),
      patterns_(partition.patterns_of(state.type)),
      sample_{.partition = block.partition, .type = state.type, .access = block.access} {}

void TypePass::run() {
  if (state_->unusable) {
    leave_out(Status::kSkipped, "the file of this type could not be used before");
    return;
  }
  if (work_.access == Access::kWrite && row(work_.type).counted) {
    plan_counted_once();
  }
  const auto opened = measuring_->noted(measuring_->machine.open(work_));
  if (opened.error) {
    state_->unusable = true;
    leave_out(Status::kFailed, fmt::format("the file could not be opened: {}", opened.text));
    return;
  }
  sample_.open = opened.elapsed;
  measure_patterns();
  if (!measuring_->aborted) {
    close();
  }
  record_type();
}

void TypePass::plan_counted_once() {
  if (partition_->counted_planned) {
    return;
  }
  const auto& plan = measuring_->plan;
  measuring_->notes_of(work_).counted =
      plan_counted(plan, static_cast<std::size_t>(work_.partition), partition_->patterns,
                   room_of(plan, work_.processes, measuring_->latest.free, partition_->data));
  partition_->counted_planned = true;
}

void TypePass::measure_patterns() {
  const PatternState* before = nullptr;
  for (auto& state : patterns_) {
    const auto& latest = measuring_->latest;
    if (latest.stop && sample_.status == Status::kMeasured) {
      sample_.status = Status::kSkipped;
      sample_.error = fmt::format("the run was stopped before pattern {}", state.pattern.number);
    }
    if (latest.stop || measuring_->aborted) {
      return;
    }
    if (work_.access == Access::kWrite) {
      place_pattern(measuring_->plan, work_.processes, state, before,
                    measuring_->notes_of(work_).counted.segment);
    }
    measure_pattern(state);
    before = &state;
  }
}

void TypePass::measure_pattern(PatternState& state) {
  const auto& pattern = state.pattern;
  const bool nothing_to_fill = pattern.kind == Kind::kFillUp && pattern.chunk == 0;
  if (nothing_to_fill) {
    state.usable = true;
    auto nothing = without_calls(work_, pattern.number, Status::kMeasured);
    nothing.stop = StopReason::kOnce;
    record(nothing);
    return;
  }
  const Room room =
      room_of(measuring_->plan, work_.processes, measuring_->latest.free, partition_->data);
  if (const auto reason = reason_to_leave_out(state, work_.access, room)) {
    leave_out_pattern(pattern.number, *reason);
    return;
  }
  const PatternWork work{work_, pattern.number, state.placement, position_ != state.placement.base,
                         work_.access == Access::kRead && state.rewritten};
  const auto space = space_for(work, pattern, room);
  measuring_->hooks.pattern(work);
  finish_pattern(work, state, call_in_batches(work, limits(work, state, space)));
}

PatternCalls TypePass::call_in_batches(const PatternWork& work, const BatchLimits& limits) {
  PatternCalls calls;
  calls.tried = 1;
  BatchControl control(limits, measuring_->notes_of(work).decision_cost);
  auto outcome = measuring_->noted(measuring_->machine.start(work));
  while (true) {
    calls.loop_time = outcome.elapsed;
    if (outcome.error) {
      calls.error = outcome.text;
    }
    if (work.access != Access::kWrite) {
      outcome.free = kUnlimited;
    }
    control.completed(outcome);
    if (control.stopped()) {
      break;
    }
    const Batch batch{.first = calls.tried, .calls = control.batch()};
    calls.tried += batch.calls;
    outcome = measuring_->noted(measuring_->machine.calls(work, batch));
  }
  calls.made = control.calls();
  calls.decisions = control.decisions();
  calls.stop = control.stopped().value_or(StopReason::kStopped);
  return calls;
}

SpaceBudget TypePass::space_for(const PatternWork& work, const Pattern& pattern,
                                const Room& room) const {
  if (work.access != Access::kWrite || row(work.type).counted || pattern.time_units == 0) {
    return {};
  }
  return space_budget(measuring_->plan, static_cast<std::size_t>(work.partition), pattern,
                      work.placement.bytes_per_round(), room);
}

BatchLimits TypePass::limits(const PatternWork& work, const PatternState& state,
                             const SpaceBudget& space) const {
  const auto& pattern = state.pattern;
  const Bytes round = work.placement.bytes_per_round();
  BatchLimits limits;
  limits.once = pattern.kind != Kind::kTimed;
  limits.count = calls_expected(state, work.access);
  limits.time = ideal_time(measuring_->plan, pattern);
  limits.rule = rule_of(measuring_->plan.release);
  if (work.access == Access::kWrite) {
    limits.bytes_per_round = round;
    limits.reserve = measuring_->plan.reserve;
    limits.allowance = space.bytes;
    limits.allowance_reason = space.by_max_data ? StopReason::kMaxData : StopReason::kSpace;
  }
  return limits;
}

void TypePass::finish_pattern(const PatternWork& work, PatternState& state,
                              const PatternCalls& calls) {
  const bool sync =
      work.access != Access::kRead && !calls.error && calls.stop != StopReason::kStopped;
  const auto outcome = measuring_->machine.finish(work, {.calls = calls.tried, .sync = sync});
  measuring_->latest.note(outcome);
  measuring_->measured.data_check.chunks_checked += outcome.checked;
  measuring_->measured.data_check.wrong_chunks += outcome.wrong;
  const auto error = error_of(calls, outcome);
  if (!error && calls.stop == StopReason::kStopped) {
    state.usable = false;
    leave_out_pattern(work.pattern, "the run was stopped in the middle of it");
    return;
  }
  const Bytes bytes = calls.made * work.placement.bytes_per_round();
  position_ = error ? kNowhere : work.placement.base + work.placement.advance(calls.made);
  note_written(work, state, calls, !error);
  record({.partition = work.partition,
          .pattern = work.pattern,
          .access = work.access,
          .repetitions = calls.made,
          .bytes = bytes,
          .time = outcome.elapsed,
          .loop_time = std::min(calls.loop_time, outcome.elapsed),
          .decisions = calls.decisions,
          .status = error ? Status::kFailed : Status::kMeasured,
          .stop = calls.stop,
          .error = error});
  if (outcome.error && sync && !row(work.type).file_per_process()) {
    sample_.error = fmt::format("the file could not be synchronised: {}", outcome.text);
    measuring_->aborted = true;
  }
}

/// What later patterns and accesses need to know.
void TypePass::note_written(const PatternWork& work, PatternState& state, const PatternCalls& calls,
                            bool ok) {
  switch (work.access) {
    case Access::kWrite:
      state.calls = calls.made;
      state.usable = ok;
      if (!row(work.type).counted) {
        state.reserved = calls.tried;
      }
      partition_->data += calls.tried * work.placement.bytes_per_round();
      break;
    case Access::kRewrite:
      state.rewritten = true;
      state.usable = ok;
      break;
    case Access::kRead:
      break;
  }
}

void TypePass::close() {
  const auto closed = measuring_->noted(measuring_->machine.close(work_));
  sample_.close = closed.elapsed;
  if (closed.error) {
    state_->unusable = true;
    sample_.status = Status::kFailed;
    sample_.error = fmt::format("the file could not be closed: {}", closed.text);
  }
  measuring_->show_notes(work_);
}

/// Where the file is not open.
void TypePass::leave_out(Status status, const std::string& reason) {
  for (const auto& state : patterns_) {
    leave_out_pattern(state.pattern.number, reason);
  }
  sample_.status = status;
  sample_.error = reason;
  record_type();
}

void TypePass::leave_out_pattern(int pattern, const std::string& reason) {
  auto left_out = without_calls(work_, pattern, Status::kSkipped);
  left_out.error = reason;
  record(left_out);
}

void TypePass::record(const Sample& sample) {
  sample_.bytes += sample.bytes;
  sample_.patterns += sample.time;
  if (sample.status != Status::kMeasured) {
    if (sample_.status == Status::kMeasured || sample.status == Status::kFailed) {
      sample_.status = sample.status;
    }
    if (!sample_.error) {
      sample_.error = fmt::format("pattern {}: {}", sample.pattern, sample.error.value_or(""));
    }
  }
  measuring_->measured.samples.push_back(sample);
  measuring_->hooks.sample(sample);
}

void TypePass::record_type() {
  measuring_->measured.types.push_back(sample_);
  measuring_->hooks.type(sample_);
}

namespace {

Ending end(Measuring& measuring) {
  measuring.noted(measuring.machine.end());
  return measuring.latest.stop ? Ending::kStopped : Ending::kDone;
}

/// A partition in an access method.
void measure_block(Measuring& measuring, const Block& block, PartitionState& state) {
  if (block.access == Access::kWrite) {
    measuring.notes_of(block).decision_cost =
        measuring.noted(measuring.machine.calibrate(block)).elapsed;
    measuring.show_notes(block);
  }
  for (auto& type : state.types) {
    if (measuring.latest.stop || measuring.aborted) {
      return;
    }
    if (measuring.plan.has(block.access, type.type)) {
      TypePass(measuring, block, state, type).run();
    }
  }
}

Ending measure_plan(Measuring& measuring, int rank) {
  const auto& partitions = measuring.plan.partitions;
  std::vector<PartitionState> states(partitions.size(), PartitionState(measuring.plan));
  for (const Access access : kAccesses) {
    for (std::size_t partition = 0; partition < partitions.size(); ++partition) {
      const Block block{.partition = static_cast<int>(partition),
                        .processes = partitions[partition],
                        .access = access};
      if (measuring.noted(measuring.machine.meet(block)).stop) {
        return end(measuring);
      }
      if (rank < block.processes) {
        measure_block(measuring, block, states[partition]);
      }
      if (measuring.aborted) {
        return Ending::kAbort;
      }
    }
  }
  return end(measuring);
}

}  // namespace

Ending measure(const Plan& plan, int rank, Machine& machine, Measurement& measured,
               const Hooks& hooks) {
  measured.partitions.resize(plan.partitions.size());
  Measuring measuring{.plan = plan, .machine = machine, .measured = measured, .hooks = hooks};
  const auto ending = measure_plan(measuring, rank);
  measured.complete =
      ending == Ending::kDone && std::ranges::all_of(measured.samples, [](const Sample& sample) {
        return sample.status == Status::kMeasured;
      });
  return ending;
}

Forecast::Forecast(const Plan& plan) : plan_(&plan) {
  for (const Access access : kAccesses) {
    progress_.at(index_of(access)).left = access_time(plan, access);
  }
}

void Forecast::note(const Sample& sample) {
  const auto& pattern = plan_->pattern(sample.pattern);
  const std::pair key{sample.partition, sample.pattern};
  if (sample.access == Access::kWrite) {
    const Seconds ideal = ideal_time(*plan_, pattern);
    write_times_[key] = sample.time;
    progress_.at(index_of(Access::kWrite)).left -= ideal;
    for (const Access later : {Access::kRewrite, Access::kRead}) {
      if (plan_->has(later, pattern.type)) {
        progress_.at(index_of(later)).left += sample.time - ideal;
      }
    }
    return;
  }
  auto& progress = progress_.at(index_of(sample.access));
  progress.left -= write_times_[key];
  progress.done += write_times_[key];
  progress.took += sample.time;
}

Seconds Forecast::to_come() const {
  Seconds sum = 0;
  for (const auto& progress : progress_) {
    sum += progress.left * (progress.done > 0 ? progress.took / progress.done : 1);
  }
  return std::max(0.0, sum);
}

}  // namespace beff::b_eff_io
