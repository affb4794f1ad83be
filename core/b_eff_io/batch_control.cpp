#include "core/b_eff_io/batch_control.hpp"

#include <algorithm>

namespace beff::b_eff_io {
namespace {

constexpr double kDecisionsPerBatch = 100;
// Shorter, and non-collective calls would wait for the slower process of so few calls each time.
constexpr Seconds kShortestBatch = 1e-3;
constexpr double kBatchesPerPattern = 10;
// A clock that does not move during a batch must not make the next one endless.
constexpr Seconds kFastestCall = 1e-9;

}  // namespace

std::string_view to_string(StopReason reason) {
  switch (reason) {
    case StopReason::kOnce:
      return "once";
    case StopReason::kTime:
      return "time";
    case StopReason::kCount:
      return "count";
    case StopReason::kSpace:
      return "space";
    case StopReason::kMaxData:
      return "max-data";
    case StopReason::kGuard:
      return "truncated";
    case StopReason::kError:
      return "error";
    case StopReason::kStopped:
      break;
  }
  return "stopped";
}

BatchControl::BatchControl(const BatchLimits& limits, Seconds decision_cost)
    : limits_(limits), decision_cost_(decision_cost) {}

void BatchControl::completed(const BatchOutcome& outcome) {
  if (stopped_) {
    return;
  }
  ++decisions_;
  if (outcome.error) {
    stopped_ = StopReason::kError;
    return;
  }
  note_call_time(outcome.elapsed);
  stopped_ = reason_to_stop(outcome);
  if (!stopped_) {
    batch_ = next_batch(outcome);
  }
}

/// The slower of the last batch and of all calls but the first, which may bear costs of its own.
void BatchControl::note_call_time(Seconds elapsed) {
  const Seconds last = (elapsed - before_) / static_cast<double>(batch_);
  calls_ += batch_;
  if (calls_ == batch_) {
    first_call_ = elapsed;
  }
  const Seconds mean = calls_ > 1 ? (elapsed - first_call_) / static_cast<double>(calls_ - 1) : 0;
  per_call_ = std::max({last, mean, kFastestCall});
  before_ = std::max(before_, elapsed);
}

Seconds BatchControl::time_left(Seconds elapsed) const {
  return limits_.time - elapsed - static_cast<double>(calls_) * limits_.sync_per_round;
}

std::int64_t BatchControl::rounds_that_fit(Bytes free) const {
  const Bytes on_disk = free == kUnlimited ? kUnlimited : free - limits_.reserve;
  const Bytes allowed = limits_.allowance == kUnlimited
                            ? kUnlimited
                            : limits_.allowance - calls_ * limits_.bytes_per_round;
  return std::max<Bytes>(0, std::min(on_disk, allowed)) /
         std::max<Bytes>(1, limits_.bytes_per_round);
}

std::optional<StopReason> BatchControl::reason_to_stop(const BatchOutcome& outcome) const {
  if (limits_.once) {
    return StopReason::kOnce;
  }
  if (limits_.count && calls_ >= *limits_.count) {
    return StopReason::kCount;
  }
  if (outcome.stop) {
    return StopReason::kStopped;
  }
  if (limits_.count && time_left(outcome.elapsed) <= 0) {
    return StopReason::kGuard;
  }
  if (!limits_.count && time_left(outcome.elapsed) < per_call_ + limits_.sync_per_round) {
    return StopReason::kTime;
  }
  if (rounds_that_fit(outcome.free) < 1) {
    return rounds_that_fit(kUnlimited) < 1 ? limits_.allowance_reason : StopReason::kSpace;
  }
  return std::nullopt;
}

std::int64_t BatchControl::next_batch(const BatchOutcome& outcome) const {
  const Seconds target = std::min(std::max(kDecisionsPerBatch * decision_cost_, kShortestBatch),
                                  limits_.time / kBatchesPerPattern);
  const double by_time = std::min(
      target / per_call_, time_left(outcome.elapsed) / (per_call_ + limits_.sync_per_round));
  std::int64_t calls = 2 * batch_;
  if (by_time < static_cast<double>(calls)) {
    calls = std::max<std::int64_t>(1, static_cast<std::int64_t>(by_time));
  }
  calls = std::min(calls, rounds_that_fit(outcome.free));
  if (limits_.count) {
    calls = std::min(calls, *limits_.count - calls_);
  }
  return calls;
}

}  // namespace beff::b_eff_io
