#include "core/pairs/result.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <ranges>
#include <span>
#include <utility>

namespace beff::pairs {
namespace {

using Time = Nanoseconds PairTimes::*;
constexpr Time kTimes[] = {&PairTimes::small, &PairTimes::large};

/// Who met in each round of a map, in the order of the times.
class Meetings {
 public:
  Meetings(const Plan& plan, const PairMap& map) : units_(plan.units), map_(&map) {
    for (std::size_t number = 0; number < map.passes.size(); ++number) {
      const Pass pass(plan, static_cast<int>(number));
      auto& rounds = passes_.emplace_back();
      for (std::size_t round = 0; round < map.passes[number].size(); ++round) {
        rounds.push_back(pass.pairs_of_round(static_cast<int>(round)));
      }
    }
  }

  [[nodiscard]] int units() const { return units_; }

  /// Calls `use` with each pair and its time in ns.
  template <class Use>
  void for_each(Time time, const Use& use) const {
    for (std::size_t pass = 0; pass < passes_.size(); ++pass) {
      for (std::size_t round = 0; round < passes_[pass].size(); ++round) {
        const auto& times = map_->passes[pass][round];
        for (std::size_t i = 0; i < times.size(); ++i) {
          if (const auto& ns = times[i].*time) {
            use(passes_[pass][round][i], static_cast<double>(*ns));
          }
        }
      }
    }
  }

 private:
  int units_;
  const PairMap* map_;
  std::vector<std::vector<std::vector<UnitPair>>> passes_;
};

/// Another unit, and the best time of the pair in ns.
struct Partner {
  int unit = 0;
  double ns = 0;
};
using Partners = std::span<const Partner>;

/// The partners of each unit at one size of messages, the quickest first; in one piece of memory,
/// as there may be 10^5 units.
class PartnersOfUnits {
 public:
  PartnersOfUnits(const Meetings& meetings, Time time)
      : begin_(static_cast<std::size_t>(meetings.units()) + 1) {
    meetings.for_each(time, [&](const UnitPair& pair, double /*ns*/) {
      ++begin_[at(pair.first) + 1];
      ++begin_[at(pair.second) + 1];
    });
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    partners_.resize(begin_.back());
    end_.assign(begin_.begin(), begin_.end() - 1);
    meetings.for_each(time, [&](const UnitPair& pair, double ns) {
      partners_[end_[at(pair.first)]++] = {.unit = pair.second, .ns = ns};
      partners_[end_[at(pair.second)]++] = {.unit = pair.first, .ns = ns};
    });
    for (int unit = 0; unit < units(); ++unit) {
      keep_best(unit);
    }
  }

  [[nodiscard]] int units() const { return static_cast<int>(end_.size()); }
  [[nodiscard]] Partners operator[](int unit) const {
    return std::span(partners_).subspan(begin_[at(unit)], end_[at(unit)] - begin_[at(unit)]);
  }

  /// Leaves out partners for which `is_out` holds.
  template <class IsOut>
  void leave_out(const IsOut& is_out) {
    for (int unit = 0; unit < units(); ++unit) {
      const auto gone = std::ranges::remove_if(
          partners_of(unit), [&](const Partner& partner) { return is_out(partner.unit); });
      end_[at(unit)] -= gone.size();
    }
  }

 private:
  static std::size_t at(int unit) { return static_cast<std::size_t>(unit); }
  std::span<Partner> partners_of(int unit) {
    return std::span(partners_).subspan(begin_[at(unit)], end_[at(unit)] - begin_[at(unit)]);
  }
  /// Of each partner the best time.
  void keep_best(int unit) {
    std::ranges::sort(partners_of(unit), {},
                      [](const Partner& partner) { return std::pair(partner.unit, partner.ns); });
    end_[at(unit)] -= std::ranges::unique(partners_of(unit), {}, &Partner::unit).size();
    std::ranges::sort(partners_of(unit), {},
                      [](const Partner& partner) { return std::pair(partner.ns, partner.unit); });
  }

  std::vector<std::size_t> begin_;  ///< of each unit's partners, and their end
  std::vector<std::size_t> end_;
  std::vector<Partner> partners_;
};

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
std::vector<Slow<int>> slow_units(const PartnersOfUnits& of_unit) {
  constexpr double kSlowUnit = 1.15;
  std::vector<double> quickest;
  for (int unit = 0; unit < of_unit.units(); ++unit) {
    if (!of_unit[unit].empty()) {
      quickest.push_back(of_unit[unit].front().ns);
    }
  }
  const auto middle = quickest.begin() + static_cast<std::ptrdiff_t>(quickest.size() / 2);
  std::ranges::nth_element(quickest, middle);
  std::vector<Slow<int>> slow;
  for (int unit = 0; unit < of_unit.units(); ++unit) {
    if (!of_unit[unit].empty() && of_unit[unit].front().ns > kSlowUnit * *middle) {
      slow.push_back({.what = unit, .ratio = of_unit[unit].front().ns / *middle});
    }
  }
  return slow;
}

UnitPair ordered(int unit, int other) {
  return {.first = std::min(unit, other), .second = std::max(unit, other)};
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
  void add_unit(const PartnersOfUnits& of_unit, int unit) {
    std::size_t added = 0;
    for (const auto& partner : of_unit[unit]) {
      if (added < kPartnersAgain && !is_suspect(partner.unit)) {
        add(ordered(unit, partner.unit));
        add_comparison(of_unit, partner.unit, unit);
        ++added;
      }
    }
  }

  /// The slowest links of units that are not suspect, each with a usual pair of both its ends.
  void add_links(PartnersOfUnits of_unit) {
    constexpr double kSlowLink = 1.25;
    of_unit.leave_out([&](int unit) { return is_suspect(unit); });
    std::vector<Slow<UnitPair>> links;
    for (int unit = 0; unit < of_unit.units(); ++unit) {
      for (const auto& [other, ns] : of_unit[unit]) {
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
  void add_comparison(const PartnersOfUnits& of_unit, int unit, int besides) {
    for (const auto& partner : of_unit[unit]) {
      if (partner.unit != besides && !is_suspect(partner.unit)) {
        add(ordered(unit, partner.unit));
        return;
      }
    }
  }
  /// Three quarters of a unit's partners are as quick: where there are two groups, at least one end
  /// of what goes between them takes that long with most others.
  static const Partner& usual(const PartnersOfUnits& of_unit, int unit) {
    const auto partners = of_unit[unit];
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
  const Meetings meetings(plan, map);
  Choice choice(plan.units);
  for (const Time time : kTimes) {
    const PartnersOfUnits of_unit(meetings, time);
    auto units = slow_units(of_unit);
    choice.suspect(units);
    keep_worst(units, kMostUnitsAgain);
    for (const auto& [unit, ratio] : units) {
      choice.add_unit(of_unit, unit);
    }
  }
  for (const Time time : kTimes) {
    choice.add_links(PartnersOfUnits(meetings, time));
  }
  return std::move(choice.chosen);
}

namespace {

/// Median of all pairs that were measured.
std::optional<double> median_ns(const PairMap& map, Time time) {
  std::vector<double> values;
  for (const auto& times : map.passes | std::views::join | std::views::join) {
    if (const auto& ns = times.*time) {
      values.push_back(static_cast<double>(*ns));
    }
  }
  return values.empty() ? std::nullopt : std::optional(median(std::move(values)));
}

}  // namespace

Medians medians_of(const Plan& plan, const PairMap& map) {
  Medians medians;
  if (const auto large = median_ns(map, &PairTimes::large); large && *large > 0) {
    medians.pair_MBps = static_cast<double>(plan.large) * kMBPerGB / *large;
  }
  if (const auto small = median_ns(map, &PairTimes::small); small && *small > 0) {
    medians.latency_us = *small / kNsPerUs;
  }
  return medians;
}

}  // namespace beff::pairs
