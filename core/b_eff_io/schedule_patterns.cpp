// What happens to a pattern on schedule: it is placed, its calls run in batches, its end is
// recorded.
#include <fmt/format.h>

#include <algorithm>

#include "core/b_eff_io/schedule.hpp"

namespace beff::b_eff_io {
namespace {

constexpr Bytes kNowhere = -1;

}  // namespace

void Schedule::start_pattern() {
  for (; pattern_ < patterns_.at(type_).size() && !stop_; ++pattern_) {
    if (access() == Access::kWrite) {
      place_pattern();
    }
    const bool nothing_to_fill = pattern().kind == Kind::kFillUp && written().placement.chunk == 0;
    if (nothing_to_fill) {
      written().usable = true;
      Sample nothing = without_calls(Status::kMeasured);
      nothing.stop = StopReason::kOnce;
      record(nothing);
      continue;
    }
    if (const auto reason = reason_to_leave_out()) {
      leave_out_pattern(*reason);
      continue;
    }
    running_ = Running{};
    if (access() == Access::kWrite && !row(type()).counted && pattern().units > 0) {
      const auto share = share_of_room(processes() * pattern().units,
                                       written().placement.bytes_per_round(), false);
      running_.share = share.bytes;
      running_.share_by_max_data = share.by_max_data;
    }
    running_.issued = 1;
    Order order = make_order(Phase::kCalls);
    order.calls = running_.issued;
    order.reposition = position_ != written().placement.base;
    order_ = order;
    return;
  }
  if (pattern_ < patterns_.at(type_).size() && type_sample_.status == Status::kMeasured) {
    type_sample_.status = Status::kSkipped;
    type_sample_.error = fmt::format("the run was stopped before pattern {}", pattern().number);
  }
  order_ = make_order(Phase::kClose);
}

void Schedule::next_pattern() {
  ++pattern_;
  start_pattern();
}

/// Puts a pattern of the initial write behind the one before it.
void Schedule::place_pattern() {
  Bytes base = 0;
  if (pattern_ > 0) {
    const auto& before = type_state().written.at(pattern_ - 1);
    base = before.placement.base + before.placement.advance(before.reserved);
  }
  Bytes chunk = pattern().chunk;
  std::int64_t reserved = 0;
  if (row(type()).counted) {
    const auto& counted = notes_.at(partition_).counted.patterns;
    const auto entry = std::ranges::find(counted, pattern().number, &CountedPattern::pattern);
    chunk = entry->chunk;
    reserved = entry->calls;
  }
  written() = Written{
      .placement = {.type = type(),
                    .processes = processes(),
                    .chunk = chunk,
                    .chunks_per_call = pattern().chunks_per_call(),
                    .base = base,
                    .segment = in_segments(type()) ? notes_.at(partition_).counted.segment : 0,
                    .slots = reserved,
                    .seed = pattern_seed(plan_->seed, pattern().number)},
      .calls = 0,
      .reserved = reserved,
      .rewritten = false,
      .usable = false};
}

std::optional<std::string> Schedule::reason_to_leave_out() const {
  if (access() != Access::kWrite) {
    return written().usable ? std::nullopt
                            : std::optional<std::string>("what it would access was not written");
  }
  if (row(type()).counted && written().reserved == 0) {
    return "no pattern of types 0-2 with this chunk size was measured";
  }
  const Bytes round = written().placement.bytes_per_round();
  if (room_on_disk() < round) {
    return "no space left for one call";
  }
  if (room_in_bound() < round) {
    return "the bound of written data leaves no room for one call";
  }
  return std::nullopt;
}

void Schedule::calls_done(bool deferred, const Outcome& outcome) {
  auto& control = running_.control;
  if (!running_.begun) {
    running_.begun = true;
    control =
        BatchControl(limits(outcome.now - outcome.elapsed), notes_.at(partition_).decision_cost);
  }
  const BatchOutcome agreed{.elapsed = outcome.elapsed,
                            .free = access() == Access::kWrite ? outcome.free : kUnlimited,
                            .error = outcome.error,
                            .stop = outcome.stop};
  if (deferred) {
    control.deferred(outcome.known ? std::optional(agreed) : std::nullopt);
  } else {
    control.completed(agreed);
  }
  running_.loop_time = outcome.elapsed;
  if (outcome.error) {
    running_.failed = true;
    running_.error = outcome.text;
  }
  if (const auto stopped = control.stopped()) {
    running_.stop_reason = *stopped;
    Order order = make_order(Phase::kFinish);
    order.sync = access() != Access::kRead && !running_.failed && *stopped != StopReason::kStopped;
    order_ = order;
    return;
  }
  Order order = make_order(Phase::kCalls);
  order.first_call = running_.issued;
  order.calls = control.batch();
  order.defers = control.defers();
  running_.issued += order.calls;
  order_ = order;
}

void Schedule::pattern_done(const Order& order, const Outcome& outcome) {
  const auto& control = running_.control;
  checked_ += outcome.checked;
  wrong_ += outcome.wrong;
  if (outcome.error) {
    running_.failed = true;
    running_.error = running_.error.value_or(outcome.text);
  }
  if (outcome.wrong > 0) {
    running_.failed = true;
    running_.error = running_.error.value_or(
        fmt::format("{} of {} chunks compared hold wrong bytes", outcome.wrong, outcome.checked));
  }
  if (running_.stop_reason == StopReason::kStopped && !running_.failed) {
    written().usable = false;
    leave_out_pattern("the run was stopped in the middle of it");
    next_pattern();
    return;
  }
  const bool ok = !running_.failed;
  const auto& placement = written().placement;
  const Bytes bytes = control.calls() * placement.bytes_per_round();
  position_ = ok ? placement.base + placement.advance(control.calls()) : kNowhere;
  if (ok && access() != Access::kRead) {
    state().sync_cost.learn(bytes, std::max(0.0, outcome.elapsed - running_.loop_time));
  }
  switch (access()) {
    case Access::kWrite:
      written().calls = control.calls();
      written().usable = ok;
      if (!row(type()).counted) {
        written().reserved = running_.issued;
      }
      state().data += running_.issued * placement.bytes_per_round();
      break;
    case Access::kRewrite:
      written().rewritten = true;
      written().usable = ok;
      break;
    case Access::kRead:
      break;
  }
  record({.partition = static_cast<int>(partition_),
          .pattern = pattern().number,
          .access = access(),
          .repetitions = control.calls(),
          .bytes = bytes,
          .time = outcome.elapsed,
          .loop_time = running_.loop_time,
          .decisions = control.decisions(),
          .status = ok ? Status::kMeasured : Status::kFailed,
          .stop = running_.stop_reason,
          .error = running_.error});
  if (outcome.error && order.sync && shares_file(type())) {
    type_sample_.error = fmt::format("the file could not be synchronised: {}", outcome.text);
    types_.push_back(type_sample_);
    ending_ = Ending::kAbort;
    order_.reset();
    return;
  }
  next_pattern();
}

void Schedule::record(const Sample& sample) {
  samples_.push_back(sample);
  type_sample_.bytes += sample.bytes;
  type_sample_.patterns += sample.time;
  if (sample.status == Status::kMeasured) {
    return;
  }
  if (type_sample_.status == Status::kMeasured || sample.status == Status::kFailed) {
    type_sample_.status = sample.status;
  }
  if (!type_sample_.error) {
    type_sample_.error = fmt::format("pattern {}: {}", sample.pattern, sample.error.value_or(""));
  }
}

void Schedule::leave_out_pattern(const std::string& reason) {
  Sample left_out = without_calls(Status::kSkipped);
  left_out.error = reason;
  record(left_out);
}

/// The present pattern without a call.
Sample Schedule::without_calls(Status status) const {
  return {.partition = static_cast<int>(partition_),
          .pattern = pattern().number,
          .access = access(),
          .repetitions = 0,
          .bytes = 0,
          .time = 0,
          .loop_time = 0,
          .decisions = 0,
          .status = status,
          .stop = std::nullopt,
          .error = std::nullopt};
}

}  // namespace beff::b_eff_io
