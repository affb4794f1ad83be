#include "core/b_eff/pair_map.hpp"

#include <algorithm>
#include <map>

namespace beff::b_eff {
namespace {

using Time = std::optional<std::int64_t> PairTimes::*;
constexpr Time kTimes[] = {&PairTimes::small_ns, &PairTimes::large_ns};

std::optional<double> median(std::vector<double> values) {
  if (values.empty()) {
    return std::nullopt;
  }
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  if (values.size() % 2 == 1) {
    return *middle;
  }
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

std::optional<double> median_of(const std::vector<PairTimes>& look, Time time) {
  std::vector<double> values;
  for (const auto& times : look) {
    if (times.*time) {
      values.push_back(static_cast<double>(*(times.*time)));
    }
  }
  return median(std::move(values));
}

/// How much slower than the median an entry is in the look where it is less so; 0 where a look
/// lacks it.
double slower_in_all(const PairMap& map, const std::vector<double>& medians, std::size_t entry,
                     Time time) {
  double least = 0;
  for (std::size_t look = 0; look < map.looks.size(); ++look) {
    const auto& times = map.looks[look];
    const auto found = entry < times.size() ? times[entry].*time : std::nullopt;
    const double ratio =
        found && medians[look] > 0 ? static_cast<double>(*found) / medians[look] : 0;
    least = look == 0 ? ratio : std::min(least, ratio);
  }
  return least;
}

}  // namespace

std::vector<PairEntry> entries_of_look(const PairPlan& plan) {
  std::vector<PairEntry> entries;
  for (int round = 0; round < plan.rounds; ++round) {
    for (const auto& pair : pairs_of_round(plan, round)) {
      entries.push_back({.round = round, .pair = pair});
    }
  }
  return entries;
}

std::vector<UnitPair> pairs_to_retest(const PairPlan& plan, const PairMap& map) {
  constexpr double kSlow = 1.5;
  if (map.looks.size() < PairPlan::kLooks) {
    return {};
  }
  struct Suspect {
    UnitPair pair;
    double slower;
  };
  const auto entries = entries_of_look(plan);
  std::vector<Suspect> suspects;
  for (const Time time : kTimes) {
    std::vector<double> medians;
    for (const auto& look : map.looks) {
      medians.push_back(median_of(look, time).value_or(0));
    }
    for (std::size_t entry = 0; entry < entries.size(); ++entry) {
      const double slower = slower_in_all(map, medians, entry, time);
      if (slower > kSlow) {
        suspects.push_back({.pair = entries[entry].pair, .slower = slower});
      }
    }
  }
  std::ranges::stable_sort(suspects, std::ranges::greater(), &Suspect::slower);
  std::vector<UnitPair> chosen;
  std::map<int, int> retests_of;
  for (const auto& [pair, slower] : suspects) {
    const bool room =
        retests_of[pair.first] < kMostRetestsOfUnit && retests_of[pair.second] < kMostRetestsOfUnit;
    if (chosen.size() < kMostRetests && room && std::ranges::find(chosen, pair) == chosen.end()) {
      chosen.push_back(pair);
      ++retests_of[pair.first];
      ++retests_of[pair.second];
    }
  }
  return chosen;
}

std::vector<UnitMedians> unit_medians(const PairPlan& plan, const PairMap& map) {
  const auto entries = entries_of_look(plan);
  std::vector<UnitMedians> units(static_cast<std::size_t>(plan.units));
  for (std::size_t u = 0; u < units.size(); ++u) {
    units[u].unit = static_cast<int>(u);
  }
  for (const Time time : kTimes) {
    std::vector<std::vector<double>> values(units.size());
    for (const auto& look : map.looks) {
      for (std::size_t entry = 0; entry < std::min(entries.size(), look.size()); ++entry) {
        if (const auto& found = look[entry].*time) {
          const auto [first, second] = entries[entry].pair;
          values[static_cast<std::size_t>(first)].push_back(static_cast<double>(*found));
          values[static_cast<std::size_t>(second)].push_back(static_cast<double>(*found));
        }
      }
    }
    const auto field =
        time == &PairTimes::small_ns ? &UnitMedians::small_ns : &UnitMedians::large_ns;
    for (std::size_t u = 0; u < units.size(); ++u) {
      units[u].*field = median(std::move(values[u]));
    }
  }
  return units;
}

}  // namespace beff::b_eff
