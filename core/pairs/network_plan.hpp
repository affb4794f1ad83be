#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/units/quantity_text.hpp"

namespace beff::pairs {

/// Two units by number, the smaller one first.
struct UnitPair {
  int first = 0;
  int second = 0;
  friend bool operator==(const UnitPair&, const UnitPair&) = default;
};

/// The units in two parts, of which each unit of one meets each of the other: in step s unit i of
/// the smaller part meets unit (i + s) mod m of the larger, which has m units and as many steps.
/// Where the parts are not equal, some units of the larger one wait, others in each step.
class Cut {
 public:
  /// Each unit is in one part; none is empty.
  Cut(std::vector<int> first, std::vector<int> second);

  [[nodiscard]] int steps() const { return static_cast<int>(larger_.size()); }
  /// In the order of the smaller part.
  [[nodiscard]] std::vector<UnitPair> pairs_of_step(int step) const;

 private:
  std::vector<int> smaller_;
  std::vector<int> larger_;
};

/// The first half of `units` in this order and the second, which has one more where they are odd.
[[nodiscard]] Cut halves_of(const std::vector<int>& units);

/// The units of 0 … `units` - 1 that are not in `part`, in their order behind those that are.
[[nodiscard]] Cut cut_by(const std::vector<int>& part, int units);

/// The first half of the units in the order of what is above each, `switches` from the top down, so
/// that those below one switch stay together; where that is equal, by number. Empty where that is
/// the first half by number, or not known of one of them.
[[nodiscard]] std::vector<int> half_by_switches(const std::vector<std::string>& switches);

/// The step that is measured at place `number` of `steps`: each once, and those that follow each
/// other far apart, so that the first of them stand for all. The stride is the largest number up to
/// 0.618 of the steps that has no divisor in common with them.
[[nodiscard]] int spread_step(int number, int steps);

struct PlanRequest;
struct Plan;

/// What pairs of units exchange while the network as a whole is measured.
enum class Traffic : std::uint8_t {
  kBothWays,  ///< a message each way at the same time
  kOneWay,    ///< a message from first to second, and a short answer
  kMessages,  ///< a window of short messages from first to second, and a short answer
};
inline constexpr std::array kTraffics{Traffic::kBothWays, Traffic::kOneWay, Traffic::kMessages};

[[nodiscard]] constexpr std::string_view to_string(Traffic traffic) {
  constexpr std::array<std::string_view, 3> kNames{"both ways", "one way", "messages"};
  return kNames.at(static_cast<std::size_t>(traffic));
}

/// Short messages of kMessages, and how many are under way.
inline constexpr Bytes kShortBytes = 8;
inline constexpr int kWindow = 64;

/// What a bisection is asked for.
struct BisectionRequest {
  static constexpr int kRandomHalves = 8;
  static constexpr Seconds kTime = 600;

  int processes = 1;            ///< of each unit
  std::vector<int> first_half;  ///< the units of one half; empty: the first half by number
  bool by_switches = false;     ///< so first_half was found, and not given
  int random_halves = kRandomHalves;
  Seconds time = kTime;  ///< no step begins later; half of it for the first halves
};

/// Messages of bisection and processes per host, unless another size is asked for: 16 MiB, and at
/// most the memory per process / 128.
inline constexpr Bytes kMessage = 16 * kMiB;

/// Fills what a plan has of bisection and processes per host. Throws PlanError.
void plan_network(Plan& plan);

/// Halves 0 are those by number or as given, the others are drawn by the seed.
[[nodiscard]] Cut cut_of(const Plan& plan, int halves);

/// The pairs that are measured with nothing else under way: kMostAlone at most of those of step 0
/// of halves 0, spread over them.
[[nodiscard]] std::vector<UnitPair> pairs_alone(const Plan& plan);
inline constexpr int kMostAlone = 16;

/// The pairs of hosts that meet in the same way for each number of processes: those of step 0 of
/// halves by number.
[[nodiscard]] std::vector<UnitPair> pairs_of_hosts(const Plan& plan);

/// Those of them that are measured one after the other: kMostHostsAlone at most, spread over them,
/// so that a slow host does not decide what a host reaches.
[[nodiscard]] std::vector<UnitPair> hosts_alone(const Plan& plan);
inline constexpr int kMostHostsAlone = 5;

/// Of all halves.
[[nodiscard]] int bisection_steps(const Plan& plan);

/// Where each process sends so many bytes per second each way, at the same time, without the map;
/// never more than the time asked for.
[[nodiscard]] Seconds bisection_time(const Plan& plan, double MBps);

/// What --plan reckons with.
inline constexpr double kUsual_MBps = 10'000;

/// Timed series of exchanges.
struct Series;
/// As the slowest needs `slowest` for an exchange and this pair needs `mine`: three series, in each
/// as many exchanges as two of the slowest take, and at least 0.4 ms, at most 0.5 s. So all pairs
/// are at it for the same time.
[[nodiscard]] Series series_beside(Seconds mine, Seconds slowest);

}  // namespace beff::pairs
