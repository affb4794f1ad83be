#include "core/b_eff/schedule.hpp"

namespace beff::b_eff {

Schedule::Schedule(const Plan& plan) : plan_(&plan) { skip_missing_methods(); }

Bytes Schedule::size_at(std::size_t position) const {
  return plan_->sizes.at(static_cast<std::size_t>(plan_->size_indices.at(position)));
}

std::int64_t Schedule::loop_length() const {
  const Bytes size = size_at(size_);
  if (plan_->definition == Definition::k3_1) {
    return fixed_loop_length(plan_->lmax(), size);
  }
  if (!latency_) {
    return kLatencyIterations;
  }
  return next_loop_length(plan_->loop_time, before_last_, last_ ? *last_ : *latency_, size);
}

std::optional<LoopOrder> Schedule::next() const {
  if (finished()) {
    return std::nullopt;
  }
  return LoopOrder{.pattern = pattern_,
                   .method = method_,
                   .size = plan_->size_indices.at(size_),
                   .repetition = repetition_,
                   .loop_length = loop_length(),
                   .latency = !latency_ && plan_->definition == Definition::k3_5};
}

void Schedule::completed(Seconds slowest_process) {
  const auto order = next();
  if (!order) {
    return;
  }
  const IterationTime measured{
      .size = size_at(size_), .seconds = slowest_process / static_cast<double>(order->loop_length)};
  if (order->latency) {
    latency_ = measured;
    return;
  }
  before_last_ = last_;
  last_ = measured;
  ++done_;
  advance();
}

void Schedule::advance() {
  if (++size_ < plan_->size_indices.size()) {
    return;
  }
  size_ = 0;
  last_.reset();
  before_last_.reset();
  if (++repetition_ < plan_->repetitions) {
    return;
  }
  repetition_ = 0;
  latency_.reset();
  ++method_;
  skip_missing_methods();
}

void Schedule::skip_missing_methods() {
  for (; !finished(); ++pattern_, method_ = 0) {
    for (; method_ < plan_->methods.size(); ++method_) {
      if (plan_->patterns.at(pattern_).has_method(plan_->methods.at(method_))) {
        return;
      }
    }
  }
}

}  // namespace beff::b_eff
