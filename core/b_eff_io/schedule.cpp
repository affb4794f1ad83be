#include "core/b_eff_io/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace beff::b_eff_io {
Schedule::Schedule(const Plan& plan, int rank) : plan_(&plan), rank_(rank) {
  for (const Type t : plan.types) {
    patterns_.push_back(plan.patterns_of(t));
  }
  PartitionState fresh;
  for (const auto& of_type : patterns_) {
    fresh.types.push_back({.written = std::vector<Written>(of_type.size()), .unusable = false});
  }
  state_.assign(plan.partitions.size(), fresh);
  notes_.resize(plan.partitions.size());
  begin_block();
}

bool Schedule::complete() const {
  return ending_ == Ending::kDone && std::ranges::all_of(samples_, [](const Sample& s) {
           return s.status == Status::kMeasured;
         });
}

void Schedule::completed(const Outcome& outcome) {
  if (!order_) {
    return;
  }
  if (outcome.known) {
    stop_ = stop_ || outcome.stop;
    free_ = outcome.free;
  }
  switch (order_->phase) {
    case Phase::kBegin:
      enter_block(outcome);
      break;
    case Phase::kCalibrate:
      notes_.at(partition_).decision_cost = outcome.elapsed;
      open_type();
      break;
    case Phase::kOpen:
      opened(outcome);
      break;
    case Phase::kCalls:
      calls_done(order_->defers, outcome);
      break;
    case Phase::kFinish:
      pattern_done(Order(*order_), outcome);
      break;
    case Phase::kClose:
      type_done(outcome);
      break;
    case Phase::kEnd:
      ending_ = stop_ ? Ending::kStopped : Ending::kDone;
      order_.reset();
      return;
  }
}

// --- blocks: a partition in an access method
// -------------------------------------------------------

void Schedule::begin_block() { order_ = make_order(Phase::kBegin); }

void Schedule::next_block() {
  if (++partition_ == plan_->partitions.size()) {
    partition_ = 0;
    ++access_;
  }
  if (access_ == kAccesses.size()) {
    order_ = Order{.phase = Phase::kEnd};
    return;
  }
  begin_block();
}

void Schedule::enter_block(const Outcome& outcome) {
  if (outcome.stop) {
    order_ = Order{.phase = Phase::kEnd};
    return;
  }
  if (rank_ >= processes()) {
    next_block();
    return;
  }
  block_end_ = outcome.now + block_time(*plan_, Access::kWrite);
  type_ = 0;
  if (access() == Access::kWrite) {
    order_ = make_order(Phase::kCalibrate);
    return;
  }
  open_type();
}

// --- types
// -----------------------------------------------------------------------------------------

void Schedule::open_type() {
  for (; type_ < plan_->types.size() && !stop_; ++type_) {
    if (!plan_->runs(access(), type())) {
      continue;
    }
    if (type_state().unusable) {
      leave_out_type("the file of this type could not be used before");
      continue;
    }
    if (access() == Access::kWrite && row(type()).counted && !state().counted_planned) {
      plan_counted();
    }
    pattern_ = 0;
    position_ = 0;
    type_sample_ = TypeSample{.partition = static_cast<int>(partition_),
                              .type = type(),
                              .access = access(),
                              .bytes = 0,
                              .open = 0,
                              .close = 0,
                              .patterns = 0,
                              .status = Status::kMeasured,
                              .error = std::nullopt};
    order_ = make_order(Phase::kOpen);
    return;
  }
  next_block();
}

void Schedule::next_type() {
  ++type_;
  open_type();
}

void Schedule::opened(const Outcome& outcome) {
  if (outcome.error) {
    type_state().unusable = true;
    leave_out_type(fmt::format("the file could not be opened: {}", outcome.text));
    types_.back().status = Status::kFailed;
    next_type();
    return;
  }
  type_sample_.open = outcome.elapsed;
  start_pattern();
}

void Schedule::type_done(const Outcome& outcome) {
  type_sample_.close = outcome.elapsed;
  if (outcome.error) {
    type_state().unusable = true;
    type_sample_.status = Status::kFailed;
    type_sample_.error = fmt::format("the file could not be closed: {}", outcome.text);
  }
  types_.push_back(type_sample_);
  next_type();
}

void Schedule::leave_out_type(const std::string& reason) {
  for (pattern_ = 0; pattern_ < patterns_.at(type_).size(); ++pattern_) {
    leave_out_pattern(reason);
  }
  types_.push_back({.partition = static_cast<int>(partition_),
                    .type = type(),
                    .access = access(),
                    .bytes = 0,
                    .open = 0,
                    .close = 0,
                    .patterns = 0,
                    .status = Status::kSkipped,
                    .error = reason});
}

Order Schedule::make_order(Phase phase) const {
  Order order{.phase = phase,
              .partition = static_cast<int>(partition_),
              .processes = processes(),
              .access = access()};
  if (phase == Phase::kBegin || phase == Phase::kCalibrate) {
    return order;
  }
  order.type = type();
  if (phase == Phase::kCalls || phase == Phase::kFinish) {
    order.pattern = pattern().number;
    order.placement = written().placement;
    order.calls_expected = calls_expected();
    order.rewritten = access() == Access::kRead && written().rewritten;
    order.calls = phase == Phase::kFinish ? running_.issued : 0;
  }
  return order;
}

}  // namespace beff::b_eff_io
