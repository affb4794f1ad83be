#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/pairs/network_plan.hpp"
#include "core/units/quantity_text.hpp"

namespace beff::pairs {

/// What meets: hosts with their processes, or single processes.
enum class PairUnit : std::uint8_t { kHost, kProcess };

[[nodiscard]] constexpr std::string_view to_string(PairUnit unit) {
  return unit == PairUnit::kHost ? "host" : "process";
}

/// Which processes of a host take part in the map.
enum class MapPerHost : std::uint8_t { kAll, kOne };

[[nodiscard]] constexpr std::string_view to_string(MapPerHost per_host) {
  return per_host == MapPerHost::kAll ? "all" : "one";
}

/// Enough that no permutation of units looks like another; see RandomPermutation.
inline constexpr int kShuffles = 64;

/// What the user asks for.
struct PlanRequest {
  static constexpr Seconds kDuration = 20;
  static constexpr int kAllRounds = std::numeric_limits<int>::max();  ///< until all have met

  int processes = 0;             ///< at least 2
  int hosts = 1;                 ///< that the processes lie on
  Bytes memory_per_process = 0;  ///< more than 512 KiB
  std::optional<std::uint64_t> seed;
  std::optional<int> rounds;  ///< of a pass, kAllRounds at most; empty: see make_plan()
  MapPerHost map_per_host = MapPerHost::kAll;
  Seconds duration = kDuration;
  int fewest_per_host = 1;            ///< processes of the host that has the fewest
  std::optional<Bytes> message_size;  ///< of bisection and processes per host
  std::optional<BisectionRequest> bisection;
  /// Numbers of processes of a host that take part, one after the other; 0 stands for all.
  std::vector<int> per_host;
};

/// Passes of rounds in which disjoint pairs of units exchange messages at the same time. Follows
/// from the request; O(1) memory.
struct Plan : PlanRequest {
  PairUnit unit = PairUnit::kProcess;
  int units = 0;
  int rounds_of_pass = 0;
  Bytes large = 0;
  Bytes message = 0;  ///< of bisection and processes per host; 0 without them
  int most_passes = kFewestPasses;

  static constexpr int kFewestPasses = 3;
  static constexpr Bytes kSmall = 1;
  static constexpr Bytes kLargest = kMiB;
  /// Units up to which all meet in each pass, unless rounds are asked for, and most rounds above.
  static constexpr int kAllMeet = 65;
  static constexpr int kManyRounds = 64;
  static constexpr int kFewestRounds = 8;
  /// Of a pass that is asked for.
  static constexpr std::int64_t kMostEntriesOfPass = 1 << 19;
  /// Of all passes, unless three have more: it bounds the size of a result.
  static constexpr std::int64_t kMostEntries = 240'000;
  static constexpr int kMostPasses = 200;

  explicit Plan(const PlanRequest& request) : PlanRequest(request) {}

  [[nodiscard]] bool all_meet() const;
  /// The first rounds of a pass, in which units meet others near them.
  [[nodiscard]] int near_rounds() const;
  /// Seconds from the start of the measurement before which a pass does not begin.
  [[nodiscard]] Seconds begin_of(int pass) const { return duration * pass / most_passes; }
};

/// Rounds as they are asked for: auto, all or a number.
[[nodiscard]] std::string rounds_text(const std::optional<int>& rounds);

/// Rounds after which each of `units` has met each: units - 1, or units where that is odd and one
/// rests in each round.
[[nodiscard]] int rounds_until_all_met(int units);

/// The units are the hosts where there is more than one, else the processes. Unless rounds are
/// asked for, all meet in each pass up to 65 units; above there are 64 rounds, fewer where three
/// passes of these would exceed kMostEntries. Throws PlanError when the memory is too small, the
/// rounds that are asked for have more than kMostEntriesOfPass pairs, or as plan_network() does.
Plan make_plan(const PlanRequest& request);

/// A pass: who meets in each of its rounds. In each pass the seed permutes the units anew, so that
/// what meets at the same time, and with it contention, differs from pass to pass; the rounds are
/// those of a round robin (circle method) of what was permuted. Where not all meet, rounds come
/// first in which units meet others near them: those whose numbers differ by `xor` with a number
/// drawn from 1, 2-3, 4-7 … 32-63; at most half of the rounds, and none in which nobody would meet.
class Pass {
 public:
  /// `plan` must outlive the object, which keeps a number for each unit.
  Pass(const Plan& plan, int number);

  /// In order of their first units; no unit is in two of them.
  [[nodiscard]] std::vector<UnitPair> pairs_of_round(int round) const;

 private:
  [[nodiscard]] int partner_of(int round, int unit) const;

  const Plan* plan_;
  std::uint64_t seed_;
  std::vector<int> unit_at_;  ///< place
  std::vector<int> place_of_;
};

/// Timed series of exchanges, as many as keep within some milliseconds.
struct Series {
  int count = 0;
  int exchanges = 0;  ///< of each

  friend bool operator==(const Series&, const Series&) = default;
};

/// For exchanges that take about `exchange` each: five series of 0.4 ms, three where a single
/// exchange takes longer than 1 ms. Their median bears two interruptions, or one.
Series series_for(Seconds exchange);

}  // namespace beff::pairs
