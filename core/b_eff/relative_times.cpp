#include "core/b_eff/relative_times.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <ranges>

namespace beff::b_eff {
namespace {

constexpr double kBaseQuantile = 0.25;
constexpr double kLargestShare = 0.6;
constexpr int kFewestInARing = 4;

using Partners = std::vector<std::set<int>>;  ///< by rank; empty for one that does not take part
/// Processes of a unit that take part, their partners, and those of them in other units.
using Load = std::array<int, 3>;

struct Loop {
  const Pattern* pattern;
  Partners partners;
  std::vector<double> log_times;  ///< by rank; meaningless for one that does not take part
};

Partners partners_in(const Graph& graph, std::size_t processes) {
  Partners partners(processes);
  for (std::size_t rank = 0; rank < processes; ++rank) {
    const auto exchange = graph.exchange(static_cast<int>(rank));
    for (const auto& [send_to, receive_from] : exchange.steps()) {
      for (const int peer : {send_to, receive_from}) {
        if (peer != kNoPeer) {
          partners[rank].insert(peer);
        }
      }
    }
  }
  return partners;
}

/// Empty unless all processes of the pattern have a time.
std::vector<double> log_times(const Plan& plan, std::size_t pattern, const ProcessTimes& times,
                              MessageLength messages) {
  const auto taking_part = static_cast<std::size_t>(plan.patterns[pattern].graph->processes());
  std::vector<double> logs(static_cast<std::size_t>(plan.processes), 0);
  for (std::size_t rank = 0; rank < taking_part; ++rank) {
    const auto time = times.at(rank, pattern, messages);
    if (!time) {
      return {};
    }
    logs[rank] = std::log(*time);
  }
  return logs;
}

std::map<int, double> over_quick_quarter(const std::map<int, double>& logs) {
  std::vector<double> values;
  for (const auto& [unit, value] : logs) {
    values.push_back(value);
  }
  const double base = quantile(std::move(values), kBaseQuantile);
  std::map<int, double> excess;
  for (const auto& [unit, value] : logs) {
    excess[unit] = value - base;
  }
  return excess;
}

/// Median of a unit and its partners, of a pair the smaller: who is slow, slows them down too. One
/// that is alone with its time was interrupted, or left the barrier before the others.
std::map<int, double> supported(const std::map<int, double>& logs,
                                const std::set<Comparison::Link>& links) {
  std::map<int, std::vector<double>> around;
  for (const auto& [unit, value] : logs) {
    around[unit].push_back(value);
  }
  for (const auto& [a, b] : links) {
    around[a].push_back(logs.at(b));
    around[b].push_back(logs.at(a));
  }
  std::map<int, double> medians;
  for (auto& [unit, values] : around) {
    constexpr double kMedian = 0.5;
    medians[unit] = quantile(std::move(values), kMedian);
  }
  return medians;
}

bool somebody_is_slow(const std::map<int, double>& excess) {
  return std::ranges::max(std::views::values(excess)) >= std::log(kSlowFactor);
}

class Comparer {
 public:
  Comparer(const Units& units, const Loop& loop) : units_(&units), loop_(&loop) {}

  /// One ring through all units: who is slow shows only while others need not wait for it yet.
  void in_one_ring(const std::map<int, double>& logs, std::vector<Comparison>& found) const {
    auto made = comparison(Where::kNetwork, logs, {});
    if (somebody_is_slow(made.excess)) {
      found.push_back(std::move(made));
    }
  }

  /// Sets of units that exchange messages only with each other: one set need not wait for another.
  /// Only sets whose units have as many processes, partners and partners elsewhere are compared.
  void among_components(std::vector<Comparison>& found) const {
    const auto component = components();
    std::map<int, Load> heaviest;
    for (const auto& [unit, of] : component) {
      const auto load = load_of(unit);
      auto& most = heaviest.try_emplace(of, load).first->second;
      std::ranges::transform(most, load, most.begin(), [](int a, int b) { return std::max(a, b); });
    }
    std::map<Load, std::map<int, int>> classes;
    for (const auto& [unit, of] : component) {
      classes[heaviest[of]][unit] = of;
    }
    for (auto& [load, members] : classes) {
      std::map<int, double> sets;
      for (const auto& [unit, of] : members) {
        ++sets[of];
      }
      const double largest = std::ranges::max(std::views::values(sets));
      if (sets.size() < 2 || largest > kLargestShare * static_cast<double>(members.size())) {
        continue;
      }
      std::map<int, double> logs;
      for (const auto& [unit, of] : members) {
        logs[unit] = mean_log(unit);
      }
      found.push_back(
          comparison(load.back() > 0 ? Where::kNetwork : Where::kInside, logs, std::move(members)));
    }
  }

 private:
  [[nodiscard]] Comparison comparison(Where where, const std::map<int, double>& logs,
                                      std::map<int, int> component) const {
    Comparison made;
    made.pattern = loop_->pattern->id;
    made.where = where;
    made.component = std::move(component);
    for (std::size_t rank = 0; rank < loop_->partners.size(); ++rank) {
      for (const int peer : loop_->partners[rank]) {
        const Comparison::Link link{units_->of_rank[rank], unit_of(peer)};
        if (link.first < link.second && logs.contains(link.first) && logs.contains(link.second)) {
          made.links.insert(link);
        }
      }
    }
    made.excess = over_quick_quarter(supported(logs, made.links));
    return made;
  }

  [[nodiscard]] int unit_of(int rank) const {
    return units_->of_rank[static_cast<std::size_t>(rank)];
  }
  [[nodiscard]] const std::set<int>& partners(int rank) const {
    return loop_->partners[static_cast<std::size_t>(rank)];
  }
  [[nodiscard]] const std::vector<int>& ranks(int unit) const {
    return units_->ranks[static_cast<std::size_t>(unit)];
  }
  [[nodiscard]] int elsewhere(int rank) const {
    return static_cast<int>(std::ranges::count_if(
        partners(rank), [&](int peer) { return unit_of(peer) != unit_of(rank); }));
  }

  [[nodiscard]] Load load_of(int unit) const {
    Load load{};
    for (const int rank : ranks(unit)) {
      load[0] += partners(rank).empty() ? 0 : 1;
      load[1] += static_cast<int>(partners(rank).size());
      load[2] += elsewhere(rank);
    }
    return load;
  }

  /// Mean over the unit's processes that talk to other units; over all of them if none does.
  [[nodiscard]] double mean_log(int unit) const {
    const bool talks = load_of(unit)[2] > 0;
    double sum = 0;
    double count = 0;
    for (const int rank : ranks(unit)) {
      if (talks ? elsewhere(rank) > 0 : !partners(rank).empty()) {
        sum += loop_->log_times[static_cast<std::size_t>(rank)];
        ++count;
      }
    }
    return sum / count;
  }

  /// By unit that takes part: the smallest unit that it is connected with by messages.
  [[nodiscard]] std::map<int, int> components() const {
    std::vector<int> parent(static_cast<std::size_t>(units_->count()));
    std::iota(parent.begin(), parent.end(), 0);
    const auto root = [&](int unit) {
      const auto above = [&](int of) -> int& { return parent[static_cast<std::size_t>(of)]; };
      while (above(unit) != unit) {
        above(unit) = above(above(unit));
        unit = above(unit);
      }
      return unit;
    };
    std::set<int> taking_part;
    for (std::size_t rank = 0; rank < loop_->partners.size(); ++rank) {
      const int unit = units_->of_rank[rank];
      for (const int peer : loop_->partners[rank]) {
        const auto [a, b] = std::minmax({root(unit), root(unit_of(peer))});
        parent[static_cast<std::size_t>(b)] = a;
        taking_part.insert(unit);
      }
    }
    std::map<int, int> component;
    for (const int unit : taking_part) {
      component[unit] = root(unit);
    }
    return component;
  }

  const Units* units_;
  const Loop* loop_;
};

}  // namespace

double quantile(std::vector<double> values, double share) {
  const auto place = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::ranges::nth_element(values, values.begin() + place);
  return values[static_cast<std::size_t>(place)];
}

Units units_of(const Environment& environment) {
  Units units;
  units.are_hosts = environment.nodes() > 1;
  const auto count =
      static_cast<std::size_t>(units.are_hosts ? environment.nodes() : environment.processes);
  units.ranks.resize(count);
  for (int rank = 0; rank < environment.processes; ++rank) {
    const int unit =
        units.are_hosts ? environment.placement.at(static_cast<std::size_t>(rank)) : rank;
    units.of_rank.push_back(unit);
    units.ranks.at(static_cast<std::size_t>(unit)).push_back(rank);
  }
  return units;
}

std::set<int> Comparison::near(int unit) const {
  std::set<int> units;
  if (!has(unit)) {
    return units;
  }
  if (in_one_ring()) {
    units.insert(unit);
    for (const auto& [a, b] : links) {
      if (a == unit || b == unit) {
        units.insert(a == unit ? b : a);
      }
    }
    return units;
  }
  for (const auto& [other, of] : component) {
    if (of == component.at(unit)) {
      units.insert(other);
    }
  }
  return units;
}

std::vector<Comparison> compare(const Plan& plan, const Units& units, const ProcessTimes& times,
                                MessageLength messages) {
  std::vector<Comparison> found;
  for (std::size_t p = 0; p < plan.patterns.size(); ++p) {
    const auto& pattern = plan.patterns[p];
    auto logs = log_times(plan, p, times, messages);
    const bool one_ring = pattern.graph->ring_sizes().size() == 1;
    const bool one_process_each = units.count() == plan.processes;
    if (logs.empty() || (one_ring && (!one_process_each || plan.processes < kFewestInARing))) {
      continue;
    }
    std::map<int, double> by_unit;
    for (std::size_t rank = 0; one_ring && rank < logs.size(); ++rank) {
      by_unit[units.of_rank[rank]] = logs[rank];
    }
    if (one_ring && !somebody_is_slow(over_quick_quarter(by_unit))) {
      continue;  // before the neighbours are worked out, which takes a while in random rings
    }
    const Loop loop{
        .pattern = &pattern,
        .partners = partners_in(*pattern.graph, static_cast<std::size_t>(plan.processes)),
        .log_times = std::move(logs)};
    const Comparer comparer(units, loop);
    if (one_ring) {
      comparer.in_one_ring(by_unit, found);
    } else {
      comparer.among_components(found);
    }
  }
  return found;
}

}  // namespace beff::b_eff
