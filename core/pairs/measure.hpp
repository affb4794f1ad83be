#pragma once

#include <functional>

#include "core/pairs/machine.hpp"
#include "core/pairs/plan.hpp"
#include "core/pairs/result.hpp"

namespace beff::pairs {

/// Called on rank 0 on the way, for a journal and a display of progress.
struct Hooks {
  /// Once, before everything else.
  std::function<void(const Roofs&)> roofed = [](const Roofs&) {};
  /// After each round, the last of the map.
  std::function<void(const Place&, const RoundTimes&)> met = [](const Place&, const RoundTimes&) {};
  /// After each retest.
  std::function<void(const Retest&)> retested = [](const Retest&) {};
  /// After each pair alone, each step of halves, which is the one at `place`, and each number of
  /// processes per host.
  std::function<void(const AloneResult&)> alone = [](const AloneResult&) {};
  std::function<void(int halves, int place, const StepResult&)> stepped = [](int, int,
                                                                             const StepResult&) {};
  std::function<void(const PerHostResult&)> filled = [](const PerHostResult&) {};
  /// After each loop over the matrix, and behind all of it.
  std::function<void(const MatrixLoopResult&)> sent = [](const MatrixLoopResult&) {};
  std::function<void(const MatrixRecord&)> sent_all = [](const MatrixRecord&) {};
  /// Before a meeting: seconds since the start.
  std::function<void(Seconds elapsed)> progress = [](Seconds) {};
};

/// Goes through a plan: passes, spread over the duration, of which there are at least
/// kFewestPasses and as many as fit; then what looks slow once more, one pair after the other, in
/// kRetestPasses passes of which those behind the first begin within half of the duration; then
/// bisection, processes per host and the matrix, as far as the plan has them. Ends after the
/// meeting whose report asks for it, and returns why. Every process runs it and decides the same.
///
/// `measured` gets completeness and, on rank 0, whose hooks are called, the times.
Stop measure(const Plan& plan, int rank, Machine& machine, Measurement& measured,
             const Hooks& hooks = {});

}  // namespace beff::pairs
