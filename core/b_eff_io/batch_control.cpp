#include "core/b_eff_io/batch_control.hpp"

#include <algorithm>
#include <cmath>

namespace beff::b_eff_io {
namespace {

constexpr double kDecisionsPerBatch = 100;
// Shorter, and non-collective calls would wait for the slower process of so few calls each time.
constexpr Seconds kShortestBatch = 3e-3;
constexpr Seconds kShortestCountedBatch = 30e-3;
constexpr double kBatchesPerPattern = 10;
// From here on deciding costs nothing that matters.
constexpr Seconds kLongCall = 1e-3;
// A clock that does not move during a batch must not make the next one endless.
constexpr Seconds kFastestCall = 1e-9;

}  // namespace

BatchControl::BatchControl(const BatchLimits& limits, Seconds decision_cost)
    : limits_(limits), decision_cost_(decision_cost) {}

void BatchControl::completed(const Outcome& outcome) {
  if (stopped_) {
    return;
  }
  ++decisions_;
  if (outcome.error) {
    stopped_ = StopReason::kError;
    return;
  }
  const Seconds last = (outcome.elapsed - known_.elapsed) / static_cast<double>(batch_);
  calls_ += batch_;
  known_ = outcome;
  per_call_ = std::max({last, outcome.elapsed / static_cast<double>(calls_), kFastestCall});
  stopped_ = reason_to_stop();
  if (!stopped_) {
    plan_batch();
  }
}

bool BatchControl::time_is_over() const {
  if (limits_.rule == TimeRule::kWhileShorter) {
    return known_.elapsed >= limits_.time;
  }
  const auto r = static_cast<double>(calls_);
  return known_.elapsed * (r + 1) / r > limits_.time;
}

std::int64_t BatchControl::rounds_that_fit(Bytes free) const {
  const Bytes on_disk = free == kUnlimited ? kUnlimited : free - limits_.reserve;
  const Bytes allowed = limits_.allowance == kUnlimited
                            ? kUnlimited
                            : limits_.allowance - calls_ * limits_.bytes_per_round;
  return std::max<Bytes>(0, std::min(on_disk, allowed)) /
         std::max<Bytes>(1, limits_.bytes_per_round);
}

std::optional<StopReason> BatchControl::reason_to_stop() const {
  if (limits_.once) {
    return StopReason::kOnce;
  }
  if (limits_.count && calls_ >= *limits_.count) {
    return StopReason::kCount;
  }
  if (known_.stop) {
    return StopReason::kStopped;
  }
  if (!limits_.count && time_is_over()) {
    return StopReason::kTime;
  }
  if (rounds_that_fit(known_.free) < 1) {
    return rounds_that_fit(kUnlimited) < 1 ? limits_.allowance_reason : StopReason::kSpace;
  }
  return std::nullopt;
}

double BatchControl::calls_in_time() const {
  if (per_call_ >= kLongCall) {
    return 1;
  }
  const Seconds wanted = std::min(std::max(kDecisionsPerBatch * decision_cost_, kShortestBatch),
                                  limits_.time / kBatchesPerPattern);
  const double left = (limits_.time - known_.elapsed) / per_call_;
  const bool one_more = limits_.rule == TimeRule::kWhileShorter;
  return std::min(wanted / per_call_, one_more ? std::ceil(left) : left);
}

void BatchControl::plan_batch() {
  const double calls =
      limits_.count
          ? std::max(kDecisionsPerBatch * decision_cost_, kShortestCountedBatch) / per_call_
          : calls_in_time();
  const double doubled = 2 * static_cast<double>(batch_);
  std::int64_t most = rounds_that_fit(known_.free);
  if (limits_.count) {
    most = std::min(most, *limits_.count - calls_);
  }
  batch_ = std::min(static_cast<std::int64_t>(std::max(1.0, std::min(doubled, calls))), most);
}

}  // namespace beff::b_eff_io
