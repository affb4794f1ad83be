#include "core/b_eff_io/batch_control.hpp"

#include <algorithm>
#include <limits>

namespace beff::b_eff_io {
namespace {

constexpr double kDecisionsPerBatch = 100;
// Shorter, and non-collective calls would wait for the slower process of so few calls each time.
constexpr Seconds kShortestBatch = 1e-3;
// For calls so cheap that this time has kCheapCalls of them: the system interrupts processes for as
// long as a batch of kShortestBatch lasts.
constexpr Seconds kShortestOfCheapCalls = 3e-3;
constexpr double kCheapCalls = 100;
constexpr double kBatchesPerPattern = 10;
// A batch is deferred when this many like it fit into what is left: it, the next one that is made
// while it is agreed on, and one more, as neither has been timed yet.
constexpr double kLeftToDefer = 3;
// What is counted has no time to keep.
constexpr Seconds kNoEnd = std::numeric_limits<Seconds>::infinity();
// A clock that does not move during a batch must not make the next one endless.
constexpr Seconds kFastestCall = 1e-9;

}  // namespace

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
  agreed_on(pending_ + batch_, outcome);
  pending_ = 0;
  stopped_ = reason_to_stop();
  if (!stopped_) {
    plan_batch();
  }
}

void BatchControl::deferred(const std::optional<BatchOutcome>& before) {
  if (stopped_) {
    return;
  }
  ++decisions_;
  const bool failed = before && before->error;
  if (before && !failed) {
    agreed_on(pending_, *before);
    pending_ = 0;
  }
  pending_ += batch_;
  if (failed || reason_to_stop()) {
    batch_ = 0;
    defers_ = false;
    return;
  }
  plan_batch();
}

void BatchControl::agreed_on(std::int64_t calls, const BatchOutcome& outcome) {
  note_call_time(calls, outcome.elapsed);
  calls_ += calls;
  known_ = outcome;
}

/// The slower of the last batch and of all calls but the first, which may bear costs of its own.
void BatchControl::note_call_time(std::int64_t calls, Seconds elapsed) {
  const Seconds last = (elapsed - before_) / static_cast<double>(calls);
  const std::int64_t all = calls_ + calls;
  if (calls_ == 0) {
    first_call_ = elapsed;
  }
  const Seconds mean = all > 1 ? (elapsed - first_call_) / static_cast<double>(all - 1) : 0;
  per_call_ = std::max({last, mean, kFastestCall});
  before_ = std::max(before_, elapsed);
}

Seconds BatchControl::time_left() const {
  if (limits_.count) {
    return kNoEnd;
  }
  return limits_.time - known_.elapsed - static_cast<double>(pending_) * per_call_ -
         static_cast<double>(calls_ + pending_) * limits_.sync_per_round;
}

std::int64_t BatchControl::rounds_that_fit(Bytes free) const {
  const Bytes on_disk =
      free == kUnlimited ? kUnlimited : free - limits_.reserve - pending_ * limits_.bytes_per_round;
  const Bytes allowed = limits_.allowance == kUnlimited
                            ? kUnlimited
                            : limits_.allowance - (calls_ + pending_) * limits_.bytes_per_round;
  return std::max<Bytes>(0, std::min(on_disk, allowed)) /
         std::max<Bytes>(1, limits_.bytes_per_round);
}

std::optional<StopReason> BatchControl::reason_to_stop() const {
  if (limits_.once) {
    return StopReason::kOnce;
  }
  if (limits_.count && calls_ + pending_ >= *limits_.count) {
    return StopReason::kCount;
  }
  if (known_.stop) {
    return StopReason::kStopped;
  }
  if (!limits_.count && time_left() < per_call_ + limits_.sync_per_round) {
    return StopReason::kTime;
  }
  if (rounds_that_fit(known_.free) < 1) {
    return rounds_that_fit(kUnlimited) < 1 ? limits_.allowance_reason : StopReason::kSpace;
  }
  return std::nullopt;
}

void BatchControl::plan_batch() {
  const auto calls_in = [this](Seconds shortest) {
    const Seconds longest = limits_.count ? kNoEnd : limits_.time / kBatchesPerPattern;
    return std::min(std::max(kDecisionsPerBatch * decision_cost_, shortest), longest) / per_call_;
  };
  const bool cheap = calls_in(kShortestOfCheapCalls) >= kCheapCalls;
  const double wanted = calls_in(cheap ? kShortestOfCheapCalls : kShortestBatch);
  const double in_time = time_left() / (per_call_ + limits_.sync_per_round);
  std::int64_t left = rounds_that_fit(known_.free);
  if (limits_.count) {
    left = std::min(left, *limits_.count - calls_ - pending_);
  }
  const double doubled = 2 * static_cast<double>(batch_);
  const double calls = std::max(1.0, std::min({doubled, wanted, in_time}));
  defers_ = cheap && wanted <= doubled && kLeftToDefer * wanted <= in_time &&
            kLeftToDefer * wanted <= static_cast<double>(left);
  batch_ = std::min(static_cast<std::int64_t>(calls), left);
}

}  // namespace beff::b_eff_io
