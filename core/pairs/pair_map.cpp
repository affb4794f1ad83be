#include "core/pairs/pair_map.hpp"

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <utility>

namespace beff::pairs {
namespace {

using Time = Nanoseconds PairTimes::*;
constexpr Time kTimes[] = {&PairTimes::small, &PairTimes::large};

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

/// Another unit, and the best time of the pair in ns.
struct Partner {
  int unit = 0;
  double ns = 0;
};
using Partners = std::vector<Partner>;

/// The partners of each unit at one size of messages, the quickest first.
std::vector<Partners> partners_of_units(const Plan& plan, const PairMap& map, Time time) {
  struct Met {
    UnitPair pair;
    double ns;
  };
  std::vector<Met> met;
  for_each_time(plan, map, time,
                [&](const UnitPair& pair, double ns) { met.push_back({.pair = pair, .ns = ns}); });
  const auto key = [](const Met& one) {
    return std::tuple(one.pair.first, one.pair.second, one.ns);
  };
  std::ranges::sort(met, {}, key);
  const auto again = std::ranges::unique(met, {}, &Met::pair);
  met.erase(again.begin(), again.end());
  std::vector<Partners> of_unit(static_cast<std::size_t>(plan.units));
  for (const auto& [pair, ns] : met) {
    of_unit[static_cast<std::size_t>(pair.first)].push_back({.unit = pair.second, .ns = ns});
    of_unit[static_cast<std::size_t>(pair.second)].push_back({.unit = pair.first, .ns = ns});
  }
  for (auto& partners : of_unit) {
    std::ranges::sort(partners, {}, [](const Partner& one) { return std::pair(one.ns, one.unit); });
  }
  return of_unit;
}

/// Something to be measured again, and by how much it is slower.
template <class What>
struct Slow {
  What what;
  double ratio = 0;
};

/// Leaves the worst ones, the worst first; those that are as bad keep their order.
template <class What>
void keep_worst(std::vector<Slow<What>>& slow, std::size_t most) {
  std::ranges::stable_sort(slow, std::ranges::greater(), &Slow<What>::ratio);
  slow.resize(std::min(slow.size(), most));
}

/// The units whose quickest pair is slower than that of the unit in the middle, in their order.
std::vector<Slow<int>> slow_units(const std::vector<Partners>& of_unit) {
  constexpr double kSlowUnit = 1.15;
  std::vector<double> quickest;
  for (const auto& partners : of_unit) {
    if (!partners.empty()) {
      quickest.push_back(partners.front().ns);
    }
  }
  const auto middle = quickest.begin() + static_cast<std::ptrdiff_t>(quickest.size() / 2);
  std::ranges::nth_element(quickest, middle);
  std::vector<Slow<int>> found;
  for (std::size_t unit = 0; unit < of_unit.size(); ++unit) {
    if (!of_unit[unit].empty() && of_unit[unit].front().ns > kSlowUnit * *middle) {
      found.push_back(
          {.what = static_cast<int>(unit), .ratio = of_unit[unit].front().ns / *middle});
    }
  }
  return found;
}

UnitPair ordered(int one, int other) {
  return {.first = std::min(one, other), .second = std::max(one, other)};
}

class Choice {
 public:
  explicit Choice(int units) : suspect_(static_cast<std::size_t>(units)) {}

  /// Marks slow units; pairs with them show nothing of others.
  void suspect(const std::vector<Slow<int>>& units) {
    for (const auto& slow : units) {
      suspect_[static_cast<std::size_t>(slow.what)] = true;
    }
  }

  /// A unit with its quickest partners, and each of these with another unit.
  void add_unit(const std::vector<Partners>& of_unit, int unit) {
    std::size_t added = 0;
    for (const auto& partner : of_unit[static_cast<std::size_t>(unit)]) {
      if (added < kPartnersAgain && !is_suspect(partner.unit)) {
        add(ordered(unit, partner.unit));
        add_comparison(of_unit, partner.unit, unit);
        ++added;
      }
    }
  }

  /// The slowest links of units that are not suspect, each with a usual pair of both its ends.
  void add_links(std::vector<Partners> of_unit) {
    constexpr double kSlowLink = 1.25;
    for (auto& partners : of_unit) {
      std::erase_if(partners, [&](const Partner& one) { return is_suspect(one.unit); });
    }
    std::vector<Slow<UnitPair>> links;
    const auto units = static_cast<int>(of_unit.size());
    for (int unit = 0; unit < units; ++unit) {
      for (const auto& [other, ns] : of_unit[static_cast<std::size_t>(unit)]) {
        if (unit < other && !is_suspect(unit)) {
          const double ratio = ns / std::max(usual(of_unit, unit).ns, usual(of_unit, other).ns);
          if (ratio > kSlowLink) {
            links.push_back({.what = ordered(unit, other), .ratio = ratio});
          }
        }
      }
    }
    keep_worst(links, kMostLinksAgain);
    for (const auto& [link, ratio] : links) {
      add(link);
      add(ordered(link.first, usual(of_unit, link.first).unit));
      add(ordered(link.second, usual(of_unit, link.second).unit));
    }
  }

  std::vector<UnitPair> chosen;

 private:
  [[nodiscard]] bool is_suspect(int unit) const { return suspect_[static_cast<std::size_t>(unit)]; }
  void add(const UnitPair& pair) {
    if (std::ranges::find(chosen, pair) == chosen.end()) {
      chosen.push_back(pair);
    }
  }
  void add_comparison(const std::vector<Partners>& of_unit, int unit, int besides) {
    for (const auto& partner : of_unit[static_cast<std::size_t>(unit)]) {
      if (partner.unit != besides && !is_suspect(partner.unit)) {
        add(ordered(unit, partner.unit));
        return;
      }
    }
  }
  /// Three quarters of a unit's partners are as quick: where there are two groups, at least one end
  /// of what goes between them takes that long with most others.
  static const Partner& usual(const std::vector<Partners>& of_unit, int unit) {
    const auto& partners = of_unit[static_cast<std::size_t>(unit)];
    return partners[3 * (partners.size() - 1) / 4];
  }

  std::vector<bool> suspect_;
};

}  // namespace

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const auto middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

std::vector<UnitPair> pairs_to_retest(const Plan& plan, const PairMap& map) {
  Choice choice(plan.units);
  for (const Time time : kTimes) {
    const auto of_unit = partners_of_units(plan, map, time);
    auto units = slow_units(of_unit);
    choice.suspect(units);
    keep_worst(units, kMostUnitsAgain);
    for (const auto& [unit, ratio] : units) {
      choice.add_unit(of_unit, unit);
    }
  }
  for (const Time time : kTimes) {
    choice.add_links(partners_of_units(plan, map, time));
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
