#include "core/b_eff_io/pattern_calls.hpp"

namespace beff::b_eff_io {

PatternCalls make_calls(Machine& machine, const PatternWork& pattern,
                        const std::function<BatchLimits(Seconds)>& limits_from,
                        Seconds decision_cost, Latest& latest) {
  PatternCalls calls;
  const auto agreed = [&](const Outcome& outcome) {
    latest.note(outcome);
    calls.loop_time = outcome.elapsed;
    if (outcome.error) {
      calls.error = outcome.text;
    }
    return BatchOutcome{.elapsed = outcome.elapsed,
                        .free = pattern.access == Access::kWrite ? outcome.free : kUnlimited,
                        .error = outcome.error,
                        .stop = outcome.stop};
  };
  const auto first = machine.start(pattern);
  calls.tried = 1;
  BatchControl control(limits_from(first.now - first.elapsed), decision_cost);
  control.completed(agreed(first));
  while (!control.stopped()) {
    const Batch batch{.first = calls.tried, .calls = control.batch()};
    calls.tried += batch.calls;
    if (control.defers()) {
      const auto before = machine.deferred_calls(pattern, batch);
      control.deferred(before ? std::optional(agreed(*before)) : std::nullopt);
    } else {
      control.completed(agreed(machine.calls(pattern, batch)));
    }
  }
  calls.made = control.calls();
  calls.decisions = control.decisions();
  calls.stop = control.stopped().value_or(StopReason::kStopped);
  return calls;
}

}  // namespace beff::b_eff_io
