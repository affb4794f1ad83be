#include "core/b_eff/slow_hosts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace beff::b_eff {
namespace {

constexpr double kLevelQuantile = 0.2;
constexpr std::size_t kFewestPatterns = 3;
constexpr std::size_t kFewestForLink = 2;
constexpr double kLargestChance = 1e-3;
constexpr double kSureChance = 1e-6;
constexpr int kSurePatterns = 5;

const double kSlow = std::log(kSlowFactor);

using Compared = std::vector<const Comparison*>;
/// By pattern: of each sweep through the sizes the unit of the slowest process, loop by loop.
using Sweeps = std::map<int, std::vector<std::vector<int>>>;

/// Probability of at least `successes` in independent trials.
double binomial_tail(int successes, int trials, double probability) {
  if (successes == 0 || probability >= 1) {
    return 1;
  }
  double sum = 0;
  for (int k = successes; k <= trials; ++k) {
    sum += std::exp(std::lgamma(trials + 1) - std::lgamma(k + 1) - std::lgamma(trials - k + 1) +
                    k * std::log(probability) + (trials - k) * std::log1p(-probability));
  }
  return std::min(1.0, sum);
}

void unite(std::set<int>& all, const std::set<int>& more) { all.insert(more.begin(), more.end()); }

std::set<int> near_any(const std::vector<int>& units, const Comparison& comparison) {
  std::set<int> all;
  for (const int unit : units) {
    unite(all, comparison.near(unit));
  }
  return all;
}

bool has_any(const std::set<int>& set, std::initializer_list<int> units) {
  return std::ranges::any_of(units, [&](int unit) { return set.contains(unit); });
}

struct SweepCount {
  int number = 0;
  int slow = 0;
  double expected = 0;

  /// Probability of as many if the slowest process were any; 0 when no sweep can tell.
  [[nodiscard]] double chance() const {
    return number > 0 ? binomial_tail(slow, number, expected / number) : 0;
  }
};

/// One unit, or two for the link between them.
struct Candidate {
  std::vector<int> units;
  Compared compared;
  std::vector<double> excesses;  ///< in each of the comparisons, of the quicker of two ends
  SweepCount sweeps = {};
  double chance = 1;
  std::vector<int> alternatives;

  Candidate(std::vector<int> of, Compared in) : units(std::move(of)), compared(std::move(in)) {
    for (const auto* c : compared) {
      double least = c->excess.at(units.front());
      for (const int unit : units) {
        least = std::min(least, c->excess.at(unit));
      }
      excesses.push_back(least);
    }
  }

  /// What it exceeds its like by in all but a fifth of the comparisons.
  [[nodiscard]] double level() const { return quantile(excesses, kLevelQuantile); }
  [[nodiscard]] int slow_in() const {
    return static_cast<int>(std::ranges::count_if(excesses, [](double e) { return e >= kSlow; }));
  }
  /// Probability of as many if each comparison made it slow with this probability.
  [[nodiscard]] double by_noise(double noise) const {
    return binomial_tail(slow_in(), static_cast<int>(excesses.size()), noise);
  }
  /// Typical excess where others need not wait; in a ring through all, the others wait too.
  [[nodiscard]] double factor() const {
    std::vector<double> apart;
    for (std::size_t i = 0; i < compared.size(); ++i) {
      if (!compared[i]->in_one_ring()) {
        apart.push_back(excesses[i]);
      }
    }
    return std::exp(quantile(apart.empty() ? excesses : apart, 0.5));
  }
};

/// All comparisons of one length of messages, in the network or inside the hosts.
class Case {
 public:
  Case(const std::vector<Comparison>& all, Where where, const Sweeps& sweeps)
      : where_(where), sweeps_(&sweeps) {
    for (const auto& c : all) {
      if (c.where == where) {
        comparisons_.push_back(&c);
      }
    }
  }

  [[nodiscard]] int patterns() const {
    std::set<int> ids;
    for (const auto* c : comparisons_) {
      ids.insert(c->pattern);
    }
    return static_cast<int>(ids.size());
  }

  /// Units that enough comparisons tell about.
  [[nodiscard]] std::vector<int> comparable(int units) const {
    std::vector<int> enough;
    for (int unit = 0; unit < units; ++unit) {
      if (about(unit).size() >= kFewestPatterns) {
        enough.push_back(unit);
      }
    }
    return enough;
  }

  [[nodiscard]] std::vector<Candidate> judge(const std::vector<int>& comparable) const {
    std::vector<Candidate> suspects;
    for (const int unit : comparable) {
      Candidate candidate({unit}, about(unit));
      if (candidate.level() >= kSlow) {
        suspects.push_back(std::move(candidate));
      }
    }
    std::ranges::stable_sort(suspects, std::greater(), &Candidate::level);
    auto found = independent(suspects, comparable.size());
    if (where_ == Where::kNetwork) {
      std::vector<int> suspected;
      for (const auto& suspect : suspects) {
        suspected.push_back(suspect.units.front());
      }
      auto links = slow_links(suspected, found);
      std::ranges::move(links, std::back_inserter(found));
    }
    return found;
  }

 private:
  /// What tells about a unit; rings through all of them, where the others wait for the slow one
  /// sooner or later, only if there is too little else.
  [[nodiscard]] Compared about(int unit) const {
    Compared every;
    std::ranges::copy_if(comparisons_, std::back_inserter(every),
                         [&](const Comparison* c) { return c->has(unit); });
    const auto apart = without_rings(every);
    return apart.size() >= kFewestPatterns ? apart : every;
  }

  static Compared without_rings(const Compared& compared) {
    Compared apart;
    std::ranges::copy_if(compared, std::back_inserter(apart),
                         [](const Comparison* c) { return !c->in_one_ring(); });
    return apart;
  }

  /// Share of the units that look slow although none of `units` explains it; never quite 0.
  [[nodiscard]] double noise(const std::vector<int>& units, const Candidate* link) const {
    const auto apart = without_rings(comparisons_);
    int cells = 0;
    int slow = 0;
    for (const auto* c : apart.empty() ? comparisons_ : apart) {
      auto covered = near_any(units, *c);
      if (link != nullptr && std::ranges::find(link->compared, c) != link->compared.end()) {
        unite(covered, near_any(link->units, *c));
      }
      for (const auto& [unit, excess] : c->excess) {
        if (!covered.contains(unit)) {
          ++cells;
          slow += excess >= kSlow ? 1 : 0;
        }
      }
    }
    return (slow + 0.5) / (cells + 1);
  }

  /// In how many sweeps most loops were slowest at one of `mine` or waited for it. Sweeps that
  /// `others` explain are left out.
  [[nodiscard]] SweepCount slowest_near(const std::vector<const Candidate*>& mine,
                                        const std::vector<const Candidate*>& others) const {
    Compared compared;
    for (const auto* candidate : mine) {
      for (const auto* c : candidate->compared) {
        if (std::ranges::find(compared, c) == compared.end()) {
          compared.push_back(c);
        }
      }
    }
    SweepCount count;
    for (const auto* c : compared) {
      const auto sweeps = sweeps_->find(c->pattern);
      if (sweeps == sweeps_->end()) {
        continue;
      }
      const auto near_mine = near_all(mine, *c);
      const auto near_others = near_all(others, *c);
      for (const auto& sweep : sweeps->second) {
        const auto seen = std::ranges::count_if(sweep, [&](int unit) { return c->has(unit); });
        const auto mostly_in = [&](const std::set<int>& set) {
          return 2 * std::ranges::count_if(
                         sweep, [&](int unit) { return c->has(unit) && set.contains(unit); }) >
                 seen;
        };
        const bool is_mine = mostly_in(near_mine);
        if (seen > 0 && (is_mine || !mostly_in(near_others))) {
          ++count.number;
          count.slow += is_mine ? 1 : 0;
          count.expected +=
              static_cast<double>(near_mine.size()) / static_cast<double>(c->excess.size());
        }
      }
    }
    return count;
  }

  static std::set<int> near_all(const std::vector<const Candidate*>& candidates,
                                const Comparison& comparison) {
    std::set<int> all;
    for (const auto* candidate : candidates) {
      unite(all, near_any(candidate->units, comparison));
    }
    return all;
  }

  static std::vector<const Candidate*> pointers(const std::vector<Candidate>& candidates) {
    std::vector<const Candidate*> list;
    for (const auto& candidate : candidates) {
      list.push_back(&candidate);
    }
    return list;
  }

  /// Those of the suspects, in descending order of level, that are not slow for another's sake.
  [[nodiscard]] std::vector<Candidate> independent(const std::vector<Candidate>& suspects,
                                                   std::size_t tried) const {
    std::vector<int> suspected;
    for (const auto& suspect : suspects) {
      suspected.push_back(suspect.units.front());
    }
    const double by_noise = noise(suspected, nullptr);
    const auto number = static_cast<double>(tried);
    std::vector<Candidate> found;
    for (const auto& suspect : suspects) {
      const int unit = suspect.units.front();
      const auto apart = without_rings(suspect.compared);
      Compared free;
      std::ranges::copy_if(apart, std::back_inserter(free), [&](const Comparison* c) {
        return std::ranges::none_of(
            found, [&](const Candidate& f) { return c->near(f.units.front()).contains(unit); });
      });
      if (!found.empty() && free.size() < 2) {
        const auto culprit = std::ranges::find_if(found, [&](const Candidate& f) {
          return std::ranges::any_of(
              apart, [&](const Comparison* c) { return c->near(f.units.front()).contains(unit); });
        });
        if (culprit != found.end()) {
          culprit->alternatives.push_back(unit);
        }
      } else if ((found.empty() || Candidate({unit}, free).level() >= kSlow) &&
                 number * suspect.by_noise(by_noise) <= kLargestChance) {
        found.push_back(suspect);
      }
    }
    const double together = slowest_near(pointers(found), {}).chance();
    for (auto& candidate : found) {
      candidate.sweeps = slowest_near({&candidate}, {});
      candidate.chance = std::min(1.0, number * std::max(candidate.by_noise(by_noise), together));
    }
    std::erase_if(found, [](const Candidate& c) { return c.chance > kLargestChance; });
    return found;
  }

  /// Pairs that are slow whenever they talk to each other, while neither is slow otherwise.
  [[nodiscard]] std::vector<Candidate> slow_links(const std::vector<int>& suspected,
                                                  const std::vector<Candidate>& units) const {
    std::map<Comparison::Link, Compared> of_link;
    for (const auto* c : comparisons_) {
      if (c->in_one_ring() && !suspected.empty()) {
        continue;
      }
      const auto waiting = near_any(suspected, *c);
      for (const auto& link : c->links) {
        if (!has_any(waiting, {link.first, link.second})) {
          of_link[link].push_back(c);
        }
      }
    }
    std::erase_if(of_link, [](const auto& entry) { return entry.second.size() < kFewestForLink; });
    std::vector<Candidate> slow;
    for (const auto& [link, compared] : of_link) {
      Candidate candidate({link.first, link.second}, compared);
      if (candidate.level() >= kSlow && is_link(candidate)) {
        slow.push_back(std::move(candidate));
      }
    }
    std::ranges::stable_sort(slow, std::greater(), [](const Candidate& c) {
      return std::pair(c.compared.size(), c.level());
    });
    std::vector<Candidate> found;
    for (auto& candidate : slow) {
      const bool explained = std::ranges::all_of(candidate.compared, [&](const Comparison* c) {
        return std::ranges::any_of(found,
                                   [&](const Candidate& f) { return explains(f, candidate, *c); });
      });
      if (explained) {
        continue;
      }
      auto others = pointers(units);
      std::ranges::copy(pointers(found), std::back_inserter(others));
      candidate.sweeps = slowest_near({&candidate}, others);
      const double by_noise = candidate.by_noise(noise(suspected, &candidate));
      candidate.chance = std::min(
          1.0, static_cast<double>(of_link.size()) * std::max(by_noise, candidate.sweeps.chance()));
      if (candidate.chance <= kLargestChance) {
        found.push_back(candidate);
      }
    }
    return found;
  }

  /// Whether the two are slow with each other by far more than either is by itself.
  [[nodiscard]] bool is_link(const Candidate& candidate) const {
    return candidate.factor() >= kSlowFactor && std::ranges::all_of(candidate.units, [&](int unit) {
             return Candidate({unit}, about(unit)).level() < candidate.level() / 2;
           });
  }

  /// Whether the weaker link is slow in a pattern because it waits for the stronger one.
  static bool explains(const Candidate& stronger, const Candidate& weaker,
                       const Comparison& comparison) {
    if (std::ranges::find(stronger.compared, &comparison) == stronger.compared.end()) {
      return false;
    }
    const auto waiting = near_any(stronger.units, comparison);
    return comparison.in_one_ring() ||
           std::ranges::all_of(weaker.units, [&](int unit) { return waiting.contains(unit); });
  }

  Where where_;
  const Sweeps* sweeps_;
  Compared comparisons_;
};

Sweeps sweeps_of(std::span<const Sample> samples, const Units& units, MessageLength messages) {
  const auto range = size_range(messages);
  std::map<std::tuple<int, int, int>, std::vector<int>> slowest;
  for (const auto& sample : samples) {
    if (sample.size >= range.first && sample.size <= range.last) {
      slowest[{sample.pattern, sample.method, sample.repetition}].push_back(
          units.of_rank.at(static_cast<std::size_t>(sample.slowest_rank)));
    }
  }
  Sweeps sweeps;
  for (auto& [key, list] : slowest) {
    sweeps[std::get<0>(key)].push_back(std::move(list));
  }
  return sweeps;
}

std::vector<std::string> names_of(const Units& units, const Environment& environment) {
  std::vector<std::string> names;
  for (int unit = 0; unit < units.count(); ++unit) {
    names.push_back(units.are_hosts ? environment.hosts.at(static_cast<std::size_t>(unit)).name
                                    : fmt::format("rank {}", unit));
  }
  return names;
}

SlowPart part_of(const Candidate& candidate, const Units& units, const Examined& examined) {
  SlowPart part{.units = candidate.units,
                .ranks = {},
                .messages = examined.messages,
                .where = examined.where,
                .factor = candidate.factor(),
                .patterns = static_cast<int>(candidate.excesses.size()),
                .patterns_slow = candidate.slow_in(),
                .sweeps = candidate.sweeps.number,
                .sweeps_slow = candidate.sweeps.slow,
                .sweeps_by_chance = candidate.sweeps.expected,
                .chance = candidate.chance,
                .alternatives = candidate.alternatives};
  for (const int unit : candidate.units) {
    std::ranges::copy(units.ranks.at(static_cast<std::size_t>(unit)),
                      std::back_inserter(part.ranks));
  }
  return part;
}

bool is_oversubscribed(const Environment& environment, const Units& units) {
  return environment.oversubscribed && !units.are_hosts;
}

std::string why_unknown(const Environment& environment, const Units& units,
                        const ProcessTimes& times) {
  constexpr int kFewestUnits = 4;
  const std::string_view kind = units.are_hosts ? "host" : "process";
  if (!times.known()) {
    return "the run ended before the times of the single processes were gathered";
  }
  if (is_oversubscribed(environment, units)) {
    return "the processes take turns on too few cores, which makes any of them slow at times";
  }
  if (units.count() < kFewestUnits) {
    return fmt::format("with {} {}{} each of them waits for the slowest in every pattern",
                       units.count(), kind, units.are_hosts ? "s" : "es");
  }
  return fmt::format(
      "too few of the measured patterns load some {} alike without making all of "
      "them wait for each other",
      units.are_hosts ? "hosts" : "processes");
}

}  // namespace

bool SlowPart::sure() const {
  return chance <= kSureChance && patterns >= kSurePatterns && alternatives.empty();
}

SlowHosts find_slow_hosts(const Plan& plan, const Environment& environment,
                          const ProcessTimes& times, std::span<const Sample> samples) {
  SlowHosts slow;
  slow.units = units_of(environment);
  slow.names = names_of(slow.units, environment);
  bool network = false;
  if (times.known() && !is_oversubscribed(environment, slow.units)) {
    for (const MessageLength messages : {MessageLength::kLong, MessageLength::kShort}) {
      const auto comparisons = compare(plan, slow.units, times, messages);
      const auto sweeps = sweeps_of(samples, slow.units, messages);
      for (const Where where : {Where::kNetwork, Where::kInside}) {
        const Case one(comparisons, where, sweeps);
        const auto comparable = one.comparable(slow.units.count());
        if (comparable.empty()) {
          continue;
        }
        const Examined examined{.messages = messages,
                                .where = where,
                                .patterns = one.patterns(),
                                .units = static_cast<int>(comparable.size())};
        slow.examined.push_back(examined);
        network = network || where == Where::kNetwork;
        for (const auto& candidate : one.judge(comparable)) {
          slow.found.push_back(part_of(candidate, slow.units, examined));
        }
      }
    }
  }
  if (!network) {
    slow.unknown_because = why_unknown(environment, slow.units, times);
  }
  return slow;
}

}  // namespace beff::b_eff
