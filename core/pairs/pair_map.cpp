#include "core/pairs/pair_map.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

namespace beff::pairs {
namespace {

using Time = Nanoseconds PairTimes::*;
constexpr Time kTimes[] = {&PairTimes::small, &PairTimes::large};

/// The value at a share of the sorted ones; 0 of none.
double quantile(std::vector<double> values, double share) {
  if (values.empty()) {
    return 0;
  }
  const auto place = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::ranges::nth_element(values, values.begin() + place);
  return values[static_cast<std::size_t>(place)];
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const auto middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

/// Calls `use` with each pair and its time in ns.
template <class Use>
void for_each_time(const Plan& plan, const PairMap& map, Time time, const Use& use) {
  for (std::size_t number = 0; number < map.passes.size(); ++number) {
    const Pass pass(plan, static_cast<int>(number));
    for (std::size_t round = 0; round < map.passes[number].size(); ++round) {
      const auto& times = map.passes[number][round];
      const auto pairs = pass.pairs_of_round(static_cast<int>(round));
      for (std::size_t i = 0; i < times.size(); ++i) {
        if (const auto& found = times[i].*time) {
          use(pairs[i], static_cast<double>(*found));
        }
      }
    }
  }
}

/// The pairs of each unit at one size of messages, relative to the median of all.
struct Ratios {
  struct Partner {
    int unit;
    double ratio;
  };
  std::vector<std::vector<Partner>> of_unit;  ///< the quickest first, each partner by its best time
  std::vector<double> own;                    ///< that of the quickest quarter; 0: not measured
  std::vector<double>
      score;  ///< its own quickest pairs relative to those of the unit in the middle

  Ratios(const Plan& plan, const PairMap& map, Time time)
      : of_unit(static_cast<std::size_t>(plan.units)), own(of_unit.size()), score(of_unit.size()) {
    const double middle = median_ns(map, time).value_or(0);
    if (middle <= 0) {
      return;
    }
    std::map<std::pair<int, int>, double> best;
    std::vector<std::vector<double>> all(of_unit.size());
    for_each_time(plan, map, time, [&](const UnitPair& pair, double ns) {
      const double ratio = ns / middle;
      const auto [found, added] = best.emplace(std::pair(pair.first, pair.second), ratio);
      found->second = std::min(found->second, ratio);
      all[static_cast<std::size_t>(pair.first)].push_back(ratio);
      all[static_cast<std::size_t>(pair.second)].push_back(ratio);
    });
    for (const auto& [pair, ratio] : best) {
      of_unit[static_cast<std::size_t>(pair.first)].push_back({pair.second, ratio});
      of_unit[static_cast<std::size_t>(pair.second)].push_back({pair.first, ratio});
    }
    for (auto& partners : of_unit) {
      std::ranges::stable_sort(partners, {}, &Partner::ratio);
    }
    // Where many meet at the same time, contention hides a slow unit but in its few quick pairs.
    for (const double share : {0.05, 0.25}) {
      for (std::size_t unit = 0; unit < own.size(); ++unit) {
        own[unit] = quantile(all[unit], share);
      }
      const double middle_unit = quantile(own, 0.5);
      for (std::size_t unit = 0; unit < own.size() && middle_unit > 0; ++unit) {
        score[unit] = std::max(score[unit], own[unit] / middle_unit);
      }
    }
  }
};

struct Suspect {
  int unit = 0;
  double ratio = 0;
};

struct SuspectLink {
  UnitPair pair;
  double ratio = 0;
};

UnitPair ordered(int one, int other) {
  return {.first = std::min(one, other), .second = std::max(one, other)};
}

class Choice {
 public:
  explicit Choice(const std::vector<bool>& suspect) : suspect_(&suspect) {}

  /// A unit with its quickest partners, and each of these with another unit.
  void add_unit(const Ratios& ratios, int unit) {
    std::size_t partners = 0;
    for (const auto& partner : ratios.of_unit[static_cast<std::size_t>(unit)]) {
      if (partners < kPartnersAgain && !is_suspect(partner.unit)) {
        add(ordered(unit, partner.unit));
        add_comparison(ratios, partner.unit, unit);
        ++partners;
      }
    }
  }

  void add_link(const Ratios& ratios, const UnitPair& link) {
    add(link);
    add_comparison(ratios, link.first, link.second);
    add_comparison(ratios, link.second, link.first);
  }

  std::vector<UnitPair> chosen;

 private:
  [[nodiscard]] bool is_suspect(int unit) const {
    return (*suspect_)[static_cast<std::size_t>(unit)];
  }
  void add(const UnitPair& pair) {
    if (std::ranges::find(chosen, pair) == chosen.end()) {
      chosen.push_back(pair);
    }
  }
  void add_comparison(const Ratios& ratios, int unit, int besides) {
    for (const auto& partner : ratios.of_unit[static_cast<std::size_t>(unit)]) {
      if (partner.unit != besides && !is_suspect(partner.unit)) {
        add(ordered(unit, partner.unit));
        return;
      }
    }
  }

  const std::vector<bool>* suspect_;
};

}  // namespace

std::vector<UnitPair> pairs_to_retest(const Plan& plan, const PairMap& map) {
  constexpr double kSlowUnit = 1.15;
  constexpr double kSlowLink = 1.25;
  std::vector<bool> suspect(static_cast<std::size_t>(plan.units));
  Choice choice(suspect);
  std::vector<Ratios> kinds;
  for (const Time time : kTimes) {
    kinds.emplace_back(plan, map, time);
    std::vector<Suspect> units;
    for (int unit = 0; unit < plan.units; ++unit) {
      const double ratio = kinds.back().score[static_cast<std::size_t>(unit)];
      if (ratio > kSlowUnit) {
        units.push_back({.unit = unit, .ratio = ratio});
        suspect[static_cast<std::size_t>(unit)] = true;
      }
    }
    std::ranges::stable_sort(units, std::ranges::greater(), &Suspect::ratio);
    units.resize(std::min(units.size(), kMostUnitsAgain));
    for (const auto& [unit, ratio] : units) {
      choice.add_unit(kinds.back(), unit);
    }
  }
  for (const auto& kind : kinds) {
    std::vector<SuspectLink> links;
    for (int unit = 0; unit < plan.units; ++unit) {
      const auto one = static_cast<std::size_t>(unit);
      for (const auto& partner : kind.of_unit[one]) {
        const auto other = static_cast<std::size_t>(partner.unit);
        const double ratio = partner.ratio / std::max(kind.own[one], kind.own[other]);
        if (unit < partner.unit && ratio > kSlowLink && !suspect[one] && !suspect[other]) {
          links.push_back({.pair = ordered(unit, partner.unit), .ratio = ratio});
        }
      }
    }
    std::ranges::stable_sort(links, std::ranges::greater(), &SuspectLink::ratio);
    links.resize(std::min(links.size(), kMostLinksAgain));
    for (const auto& link : links) {
      choice.add_link(kind, link.pair);
    }
  }
  return std::move(choice.chosen);
}

std::optional<double> median_ns(const PairMap& map, Time time) {
  std::vector<double> values;
  for (const auto& pass : map.passes) {
    for (const auto& round : pass) {
      for (const auto& times : round) {
        if (times.*time) {
          values.push_back(static_cast<double>(*(times.*time)));
        }
      }
    }
  }
  return values.empty() ? std::nullopt : std::optional(median(std::move(values)));
}

Medians medians_of(const Plan& plan, const PairMap& map) {
  constexpr double kNsPerUs = 1e3;  // byte per ns are 1e3 MB/s
  Medians found;
  if (const auto large = median_ns(map, &PairTimes::large); large && *large > 0) {
    found.pair_MBps = static_cast<double>(plan.large) * kNsPerUs / *large;
  }
  if (const auto small = median_ns(map, &PairTimes::small); small && *small > 0) {
    found.latency_us = *small / kNsPerUs;
  }
  return found;
}

std::vector<UnitMedian> unit_medians(const Plan& plan, const PairMap& map, Time time) {
  std::vector<std::vector<double>> values(static_cast<std::size_t>(plan.units));
  for_each_time(plan, map, time, [&](const UnitPair& pair, double ns) {
    values[static_cast<std::size_t>(pair.first)].push_back(ns);
    values[static_cast<std::size_t>(pair.second)].push_back(ns);
  });
  std::vector<UnitMedian> found;
  for (int unit = 0; unit < plan.units; ++unit) {
    if (auto& own = values[static_cast<std::size_t>(unit)]; !own.empty()) {
      found.push_back({.unit = unit, .ns = median(std::move(own))});
    }
  }
  std::ranges::stable_sort(found, std::ranges::greater(), &UnitMedian::ns);
  return found;
}

}  // namespace beff::pairs
