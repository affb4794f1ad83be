#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/b_eff/pair_plan.hpp"

namespace beff::b_eff {

/// What a pair took for an exchange of one message each way, on its slowest process; empty where it
/// was not measured.
struct PairTimes {
  std::optional<std::int64_t> small_ns;
  std::optional<std::int64_t> large_ns;
};

/// The map of pairs so far.
struct PairMap {
  /// One list for each look: by round, in each by pair. Shorter where the run was stopped.
  std::vector<std::vector<PairTimes>> looks;
  std::vector<UnitPair> retested;  ///< met again with nothing else under way, pass by pass
  std::vector<PairTimes> retests;  ///< of each of them; shorter where the run was stopped
  Seconds took = 0;
};

/// An entry of the map: a pair in a round.
struct PairEntry {
  int round;
  UnitPair pair;
};

/// The entries of a look in the order in which they are measured.
std::vector<PairEntry> entries_of_look(const PairPlan& plan);

/// Most pairs that are measured again, and most of them with the same unit.
inline constexpr std::size_t kMostRetests = 32;
inline constexpr int kMostRetestsOfUnit = 2;
/// How often each of them is measured again.
inline constexpr int kRetestPasses = 4;

/// The pairs that look slow in both looks, in the same messages: more than half slower than the
/// median pair of the look. The worst come first, each unit is in two of them at most, so that a
/// single one does not use up all. Empty without a second look.
std::vector<UnitPair> pairs_to_retest(const PairPlan& plan, const PairMap& map);

/// Medians of a unit over all its pairs in all looks; empty where it has none.
struct UnitMedians {
  int unit = 0;
  std::optional<double> small_ns;
  std::optional<double> large_ns;
};

std::vector<UnitMedians> unit_medians(const PairPlan& plan, const PairMap& map);

}  // namespace beff::b_eff
