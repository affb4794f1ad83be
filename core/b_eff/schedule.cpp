#include "core/b_eff/schedule.hpp"

namespace beff::b_eff {

Schedule::Schedule(const Plan& plan) : plan_(&plan) {
  for (std::size_t pattern = 0; pattern < plan.patterns.size(); ++pattern) {
    for (std::size_t method = 0; method < plan.methods.size(); ++method) {
      if (plan.patterns[pattern].has_method(plan.methods[method])) {
        sweeps_.push_back({.pattern = pattern, .method = method});
      }
    }
  }
}

Bytes Schedule::size_at(std::size_t position) const {
  return plan_->sizes.at(static_cast<std::size_t>(plan_->size_indices.at(position)));
}

std::int64_t Schedule::loop_length() const {
  const Bytes size = size_at(size_);
  if (plan_->definition == Definition::k3_1) {
    return fixed_loop_length(plan_->lmax(), size);
  }
  return last_ ? next_loop_length(plan_->loop_time, before_last_, *last_, size)
               : kLatencyIterations;
}

std::optional<LoopOrder> Schedule::next() const {
  if (repetition_ == plan_->repetitions) {
    return std::nullopt;
  }
  const auto [pattern, method] = sweeps_.at(sweep_);
  return LoopOrder{.pattern = pattern,
                   .method = method,
                   .size = plan_->size_indices.at(size_),
                   .repetition = repetition_,
                   .loop_length = loop_length(),
                   .warm_up = plan_->size_indices.at(size_) < kWarmedUpSizes,
                   .latency = !last_ && plan_->definition == Definition::k3_5};
}

void Schedule::completed(Seconds slowest_process) {
  const auto order = next();
  if (!order) {
    return;
  }
  before_last_ = last_;
  last_ = {.size = size_at(size_),
           .seconds = slowest_process / static_cast<double>(order->loop_length)};
  if (!order->latency) {
    ++done_;
    advance();
  }
}

void Schedule::advance() {
  if (++size_ < plan_->size_indices.size()) {
    return;
  }
  size_ = 0;
  last_.reset();
  before_last_.reset();
  if (++sweep_ == sweeps_.size()) {
    sweep_ = 0;
    ++repetition_;
  }
}

}  // namespace beff::b_eff
