#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/units/quantity_text.hpp"

namespace beff::b_eff {

/// What meets in the map of pairs: hosts with all their processes, or single processes.
enum class PairUnit : std::uint8_t { kHost, kProcess };

[[nodiscard]] constexpr std::string_view to_string(PairUnit unit) {
  return unit == PairUnit::kHost ? "host" : "process";
}

/// Two units by number, the smaller one first.
struct UnitPair {
  int first = 0;
  int second = 0;
  friend bool operator==(const UnitPair&, const UnitPair&) = default;
};

/// How many rounds of the map are asked for.
struct PairRequest {
  enum class Kind : std::uint8_t {
    kAuto,  ///< see plan_pairs()
    kAll,   ///< until all have met
    kNone,
    kRounds,  ///< `rounds`
  };
  Kind kind = Kind::kAuto;
  int rounds = 0;
};

[[nodiscard]] constexpr std::string_view to_string(PairRequest::Kind kind) {
  constexpr std::array<std::string_view, 4> kNames{"auto", "all", "none", "rounds"};
  return kNames.at(static_cast<std::size_t>(kind));
}

/// The map of pairs: rounds in which disjoint pairs of units exchange messages at the same time,
/// looked at once before and once after the patterns.
struct PairPlan {
  PairUnit unit = PairUnit::kProcess;
  int units = 0;
  int rounds = 0;  ///< 0: no map
  Bytes large = 0;
  std::uint64_t seed = 0;

  static constexpr int kLooks = 2;
  static constexpr Bytes kSmall = 1;
  static constexpr Bytes kLargest = kMiB;
  /// Below that, auto makes no map: of three units none can be told from the other two.
  static constexpr int kFewestUnits = 4;
  /// Units up to which auto lets all meet, and rounds above.
  static constexpr int kAllMeet = 65;
  static constexpr int kManyRounds = 64;

  [[nodiscard]] bool any() const { return rounds > 0; }
};

/// Rounds after which each of `units` has met each: units - 1, or units where that is odd and one
/// rests in each round.
[[nodiscard]] int rounds_until_all_met(int units);

/// The units are the hosts where there is more than one, else the processes. By kAuto there is a
/// map from four units on: up to 65 units all meet, above there are 64 rounds.
PairPlan plan_pairs(const PairRequest& request, int processes, int hosts, Bytes lmax,
                    std::optional<std::uint64_t> run_seed);

/// The pairs of a round, in order of their first units; no unit is in two of them. Where all meet,
/// the rounds are those of a round robin (circle method). Else the first ones are pairs at the
/// distances 1, 2, 4 …, which show what neighbours share, and the others are random rounds of the
/// round robin.
std::vector<UnitPair> pairs_of_round(const PairPlan& plan, int round);

/// Timed series of exchanges, as many as keep within some milliseconds.
struct Series {
  int count = 0;
  int exchanges = 0;  ///< of each

  friend bool operator==(const Series&, const Series&) = default;
};

/// For exchanges that take about `exchange` each: five series of 0.4 ms, three where a single
/// exchange takes longer than 1 ms. Their median bears two interruptions, or one.
Series series_for(Seconds exchange);

}  // namespace beff::b_eff
