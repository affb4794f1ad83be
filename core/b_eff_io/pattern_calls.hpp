#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "core/b_eff_io/batch_control.hpp"
#include "core/b_eff_io/machine.hpp"

namespace beff::b_eff_io {

/// What was agreed on last.
struct Latest {
  bool stop = false;
  Bytes free = kUnlimited;

  void note(const Outcome& outcome) {
    stop = stop || outcome.stop;
    free = outcome.free;
  }
};

/// The calls of one pattern.
struct PatternCalls {
  std::int64_t tried = 0;  ///< calls asked for
  std::int64_t made = 0;   ///< of them agreed to be without an error
  std::int64_t decisions = 0;
  StopReason stop = StopReason::kStopped;
  Seconds loop_time = 0;             ///< from the start of the pattern's clock
  std::optional<std::string> error;  ///< the library's text, where a call failed
};

/// Starts a pattern and makes its calls, batch by batch. `limits_from` gives what bounds them, by
/// the time at which the pattern's clock was started.
[[nodiscard]] PatternCalls make_calls(Machine& machine, const PatternWork& pattern,
                                      const std::function<BatchLimits(Seconds)>& limits_from,
                                      Seconds decision_cost, Latest& latest);

}  // namespace beff::b_eff_io
