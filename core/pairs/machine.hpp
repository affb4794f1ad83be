#pragma once

#include <cstdint>
#include <vector>

#include "core/machine.hpp"
#include "core/pairs/network_plan.hpp"
#include "core/pairs/pair_map.hpp"
#include "core/pairs/roofs.hpp"

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

/// Where in the run a meeting is.
struct Place {
  int pass = 0;
  int round = 0;
};

/// What measure() needs of a machine. Every process calls the same.
class Machine : public AnyMachine {
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

}  // namespace beff::pairs
