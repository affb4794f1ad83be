#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/benchmark.hpp"
#include "core/pairs/network_plan.hpp"
#include "core/pairs/plan.hpp"
#include "core/pairs/result.hpp"
#include "core/record/hosts.hpp"
#include "core/units/quantity_text.hpp"

namespace beff::pairs {

/// Which messages pairs exchange.
enum class Ways : std::uint8_t {
  kBoth,   ///< a short and a large one each way
  kThere,  ///< a large one from first to second, and a short answer
  kBack,   ///< from second to first
};

/// A meeting of pairs.
struct Meeting {
  RoundTimes times;     ///< of the pairs, on rank 0; empty elsewhere. One way: `large` only
  Seconds elapsed = 0;  ///< since the start of the run; the same on all processes
  Stop stop = Stop::kNo;
};

/// What measure() needs of a machine. Every process calls the same.
class Machine : public InOnePlace {
 public:
  /// What the hardware allows; hosts on rank 0 only.
  virtual Roofs roofs() = 0;
  /// Lets the pairs, in which each unit is once at most, exchange messages at the same time.
  virtual Meeting meet(const Place& place, const std::vector<UnitPair>& pairs, Ways ways) = 0;
  /// Lets the first `processes` of each unit of the pairs exchange `traffic`, all at the same time;
  /// `large` of the times is that of an exchange on the slowest of them.
  virtual Meeting cross(const Place& place, const std::vector<UnitPair>& pairs, int processes,
                        Traffic traffic) = 0;
  /// Idles until so many seconds after the start of the run.
  virtual void wait_until(Seconds moment) = 0;
  /// The list that rank 0 gives.
  virtual std::vector<UnitPair> from_rank_0(std::vector<UnitPair> pairs) = 0;
};

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
  /// Before a meeting: seconds since the start.
  std::function<void(Seconds elapsed)> progress = [](Seconds) {};
};

/// Goes through a plan: passes, spread over the duration, of which there are at least
/// kFewestPasses and as many as fit; then what looks slow once more, one pair after the other, in
/// kRetestPasses passes of which those behind the first begin within half of the duration; then
/// bisection and processes per host, as far as the plan has them. Ends after the meeting whose
/// report asks for it, and returns why. Every process runs it and decides the same.
///
/// `measured` gets completeness and, on rank 0, whose hooks are called, the times.
Stop measure(const Plan& plan, int rank, Machine& machine, Measurement& measured,
             const Hooks& hooks = {});

}  // namespace beff::pairs
