#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "core/b_eff/machine.hpp"
#include "core/b_eff/plan.hpp"
#include "core/b_eff/result.hpp"

namespace beff::b_eff {

/// Called on the way, for a journal and a display of progress.
struct Hooks {
  /// After every recorded loop.
  std::function<void(const Sample&)> recorded = [](const Sample&) {};
  /// After every repetition but the last, with all loops so far.
  std::function<void(std::span<const Sample>)> repetition_ended = [](std::span<const Sample>) {};
  /// Before a loop: recorded loops so far and the pattern's name.
  std::function<void(std::int64_t done, std::string_view pattern)> progress =
      [](std::int64_t, std::string_view) {};
};

/// Goes through a plan: repetition, pattern, method, message size, in this nesting, so that the
/// repetitions of a measurement lie a third of the run apart, and after the first of them there is
/// a whole value. Knows no clock but by the machine. Every process runs it and decides the same,
/// from reports that are the same. Ends after the loop whose report asks for it, and returns why.
///
/// `measured` gets completeness, the times of loops and latency measurements, and on rank 0, whose
/// hooks are called, also samples.
Stop measure(const Plan& plan, int rank, Machine& machine, Measurement& measured,
             const Hooks& hooks = {});

}  // namespace beff::b_eff
