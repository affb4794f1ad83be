#include "core/pairs/network_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include "core/benchmark.hpp"
#include "core/pairs/plan.hpp"
#include "core/random_permutation.hpp"

namespace beff::pairs {

Cut::Cut(std::vector<int> first, std::vector<int> second)
    : smaller_(std::move(first)), larger_(std::move(second)) {
  if (smaller_.size() > larger_.size()) {
    std::swap(smaller_, larger_);
  }
}

std::vector<UnitPair> Cut::pairs_of_step(int step) const {
  std::vector<UnitPair> pairs;
  pairs.reserve(smaller_.size());
  auto place = static_cast<std::size_t>(step);
  for (const int unit : smaller_) {
    const int partner = larger_[place % larger_.size()];
    pairs.push_back({.first = std::min(unit, partner), .second = std::max(unit, partner)});
    ++place;
  }
  return pairs;
}

Cut halves_of(const std::vector<int>& units) {
  const auto middle = units.begin() + static_cast<std::ptrdiff_t>(units.size() / 2);
  return {{units.begin(), middle}, {middle, units.end()}};
}

Cut cut_by(const std::vector<int>& part, int units) {
  std::vector<bool> inside(static_cast<std::size_t>(units));
  for (const int unit : part) {
    inside[static_cast<std::size_t>(unit)] = true;
  }
  std::vector<int> other;
  for (int unit = 0; unit < units; ++unit) {
    if (!inside[static_cast<std::size_t>(unit)]) {
      other.push_back(unit);
    }
  }
  return {part, std::move(other)};
}

std::vector<int> half_by_switches(const std::vector<std::string>& switches) {
  std::vector<int> units(switches.size());
  std::iota(units.begin(), units.end(), 0);
  if (std::ranges::find(switches, "") != switches.end()) {
    return {};
  }
  std::ranges::stable_sort(units, {}, [&](int unit) -> const std::string& {
    return switches[static_cast<std::size_t>(unit)];
  });
  units.resize(units.size() / 2);
  std::ranges::sort(units);
  const bool is_by_number = units.empty() || std::cmp_equal(units.back() + 1, units.size());
  return is_by_number ? std::vector<int>() : units;
}

int spread_step(int number, int steps) {
  constexpr double kGolden = 0.618;
  int stride = std::max(1, static_cast<int>(kGolden * steps));
  while (std::gcd(stride, steps) != 1) {
    --stride;
  }
  return static_cast<int>(std::int64_t{number} * stride % steps);
}

namespace {

/// Behind those of all passes; see Pass.
constexpr int kSeedOfHalves = 1000;
constexpr int kSeries = 3;
constexpr int kOfSlowest = 2;

std::vector<int> numbered(int units) {
  std::vector<int> all(static_cast<std::size_t>(units));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

Bytes message_for(const Plan& plan) {
  constexpr Bytes kMemoryToLarge = 128;
  constexpr Bytes kMemoryToLargest = 32;
  constexpr Bytes kMost = kGiB;
  const Bytes most = std::min(plan.memory_per_process / kMemoryToLargest, kMost);
  if (plan.message_size.value_or(0) > most) {
    throw PlanError(
        "message-size",
        fmt::format("{}: is more than the largest message of {}, memory per process / "
                    "{}; give at most that, or more memory by --memory-per-process",
                    format_size(*plan.message_size), format_size(most), kMemoryToLargest));
  }
  return plan.message_size.value_or(std::min(plan.memory_per_process / kMemoryToLarge, kMessage));
}

void check_bisection(const Plan& plan) {
  const auto& bisection = *plan.bisection;
  const int most = plan.unit == PairUnit::kHost ? plan.fewest_per_host : 1;
  if (bisection.processes > most) {
    throw PlanError(
        "bisection",
        fmt::format("{}: a {} has {}; give at most {}, or start more on each host",
                    bisection.processes, to_string(plan.unit), counted(most, "process"), most));
  }
  if (!bisection.first_half.empty() &&
      std::cmp_greater_equal(bisection.first_half.size(), plan.units)) {
    throw PlanError("halves", fmt::format("names all {}; leave some for the other half",
                                          counted(plan.units, to_string(plan.unit))));
  }
}

/// Each number once, ascending, 0 as all.
std::vector<int> resolved(const Plan& plan) {
  if (plan.unit != PairUnit::kHost) {
    throw PlanError("per-host",
                    "needs at least two hosts, and all processes run on one; start them on more");
  }
  std::set<int> numbers;
  for (const int number : plan.per_host) {
    if (number > plan.fewest_per_host) {
      throw PlanError("per-host", fmt::format("{}: a host has {} processes; give at most that, or "
                                              "start more on each host",
                                              number, plan.fewest_per_host));
    }
    numbers.insert(number == 0 ? plan.fewest_per_host : number);
  }
  return {numbers.begin(), numbers.end()};
}

/// At most so many of the pairs, spread over them.
std::vector<UnitPair> some_of(const std::vector<UnitPair>& all, std::size_t most) {
  const auto count = std::min(all.size(), most);
  std::vector<UnitPair> some;
  for (std::size_t i = 0; i < count; ++i) {
    some.push_back(all[i * all.size() / count]);
  }
  return some;
}

}  // namespace

void plan_network(Plan& plan) {
  if (!plan.bisection && plan.per_host.empty()) {
    if (plan.message_size) {
      throw PlanError("message-size", fmt::format("{}: goes with --bisection or --per-host",
                                                  format_size(*plan.message_size)));
    }
    return;
  }
  plan.message = message_for(plan);
  if (plan.bisection) {
    check_bisection(plan);
  }
  if (!plan.per_host.empty()) {
    plan.per_host = resolved(plan);
  }
}

Cut cut_of(const Plan& plan, int halves) {
  const auto& given = plan.bisection->first_half;
  if (halves == 0) {
    return given.empty() ? halves_of(numbered(plan.units)) : cut_by(given, plan.units);
  }
  const RandomPermutation drawn(pattern_seed(plan.seed.value_or(0), kSeedOfHalves + halves),
                                plan.units, kShuffles);
  std::vector<int> units;
  for (int place = 0; place < plan.units; ++place) {
    units.push_back(static_cast<int>(drawn.at(place)));
  }
  return halves_of(units);
}

std::vector<UnitPair> pairs_alone(const Plan& plan) {
  return some_of(cut_of(plan, 0).pairs_of_step(0), kMostAlone);
}

std::vector<UnitPair> pairs_of_hosts(const Plan& plan) {
  return halves_of(numbered(plan.units)).pairs_of_step(0);
}

std::vector<UnitPair> hosts_alone(const Plan& plan) {
  return some_of(pairs_of_hosts(plan), kMostHostsAlone);
}

int bisection_steps(const Plan& plan) {
  const int of_drawn = (plan.units + 1) / 2;
  return cut_of(plan, 0).steps() + plan.bisection->random_halves * of_drawn;
}

Seconds bisection_time(const Plan& plan, double MBps) {
  constexpr Seconds kAgreement = 1e-3;  // barriers and gathering, of thousands of processes
  constexpr int kFirst = 2;             // exchanges before the series
  const Seconds exchange = static_cast<double>(plan.message) / (MBps * kBytesPerMB);
  const auto series = series_beside(exchange, exchange);
  const Seconds step = (kFirst + series.count * series.exchanges) * exchange + kAgreement;
  const auto alone = static_cast<double>(pairs_alone(plan).size());
  return std::min(plan.bisection->time, (bisection_steps(plan) + alone) * step);
}

Series series_beside(Seconds mine, Seconds slowest) {
  constexpr Seconds kLeast = 0.4e-3;
  constexpr Seconds kMost = 0.5;
  constexpr int kMostExchanges = 100'000;
  const Seconds each = std::clamp(kOfSlowest * slowest, kLeast, kMost);
  const double fit = mine > 0 ? each / mine : kMostExchanges;
  return {.count = kSeries,
          .exchanges = static_cast<int>(std::clamp(std::round(fit), 1.0, double{kMostExchanges}))};
}

}  // namespace beff::pairs
