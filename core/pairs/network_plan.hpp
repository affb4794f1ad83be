#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/pairs/cut.hpp"
#include "core/units/quantity_text.hpp"

namespace beff::pairs {

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

/// How many processes of a host take part, one after the other; 0 stands for all.
struct PerHostRequest {
  std::vector<int> processes;
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
