#include "core/b_eff/slow_search.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

namespace beff::b_eff {
namespace {

constexpr std::size_t kFewestPatterns = 3;
constexpr std::size_t kFewestForLink = 2;
constexpr double kLargestChance = 1e-3;

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

}  // namespace

SlowSearch::SlowSearch(const std::vector<Comparison>& all, Where where, const Sweeps& sweeps)
    : where_(where), sweeps_(&sweeps) {
  for (const auto& c : all) {
    if (c.where == where) {
      comparisons_.push_back(&c);
    }
  }
}

int SlowSearch::patterns() const {
  std::set<int> ids;
  for (const auto* c : comparisons_) {
    ids.insert(c->pattern);
  }
  return static_cast<int>(ids.size());
}

std::vector<int> SlowSearch::comparable(int units) const {
  std::vector<int> enough;
  for (int unit = 0; unit < units; ++unit) {
    if (about(unit).size() >= kFewestPatterns) {
      enough.push_back(unit);
    }
  }
  return enough;
}

SlowJudgement SlowSearch::judge(const std::vector<int>& comparable) const {
  std::vector<SlowCandidate> suspects;
  for (const int unit : comparable) {
    SlowCandidate candidate({unit}, about(unit));
    if (candidate.level() >= slow_excess()) {
      suspects.push_back(std::move(candidate));
    }
  }
  std::ranges::stable_sort(suspects, std::greater(), &SlowCandidate::level);
  std::vector<int> suspected;
  for (const auto& suspect : suspects) {
    suspected.push_back(suspect.units.front());
  }
  SlowJudgement judgement{.found = independent(suspects, comparable.size()), .suspected = {}};
  if (judgement.found.empty()) {
    judgement.suspected = suspected;
  }
  if (where_ == Where::kNetwork) {
    auto links = slow_links(suspected, judgement.found);
    std::ranges::move(links, std::back_inserter(judgement.found));
  }
  return judgement;
}

Compared SlowSearch::about(int unit) const {
  Compared every;
  std::ranges::copy_if(comparisons_, std::back_inserter(every),
                       [&](const Comparison* c) { return c->has(unit); });
  const auto apart = without_rings(every);
  return apart.size() >= kFewestPatterns ? apart : every;
}

Compared SlowSearch::without_rings(const Compared& compared) {
  Compared apart;
  std::ranges::copy_if(compared, std::back_inserter(apart),
                       [](const Comparison* c) { return !c->in_one_ring(); });
  return apart;
}

double SlowSearch::noise(const std::vector<int>& units, const SlowCandidate* link) const {
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
        slow += excess >= slow_excess() ? 1 : 0;
      }
    }
  }
  return (slow + 0.5) / (cells + 1);
}

SweepCount SlowSearch::slowest_near(const std::vector<const SlowCandidate*>& mine,
                                    const std::vector<const SlowCandidate*>& others) const {
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

std::set<int> SlowSearch::near_all(const std::vector<const SlowCandidate*>& candidates,
                                   const Comparison& comparison) {
  std::set<int> all;
  for (const auto* candidate : candidates) {
    unite(all, near_any(candidate->units, comparison));
  }
  return all;
}

std::vector<const SlowCandidate*> SlowSearch::pointers(
    const std::vector<SlowCandidate>& candidates) {
  std::vector<const SlowCandidate*> list;
  for (const auto& candidate : candidates) {
    list.push_back(&candidate);
  }
  return list;
}

std::vector<SlowCandidate> SlowSearch::independent(const std::vector<SlowCandidate>& suspects,
                                                   std::size_t tried) const {
  std::vector<int> suspected;
  for (const auto& suspect : suspects) {
    suspected.push_back(suspect.units.front());
  }
  const double by_noise = noise(suspected, nullptr);
  const auto number = static_cast<double>(tried);
  std::vector<SlowCandidate> found;
  for (const auto& suspect : suspects) {
    const int unit = suspect.units.front();
    const auto apart = without_rings(suspect.compared);
    Compared free;
    std::ranges::copy_if(apart, std::back_inserter(free), [&](const Comparison* c) {
      return std::ranges::none_of(
          found, [&](const SlowCandidate& f) { return c->near(f.units.front()).contains(unit); });
    });
    if (!found.empty() && free.size() < 2) {
      const auto culprit = std::ranges::find_if(found, [&](const SlowCandidate& f) {
        return std::ranges::any_of(
            apart, [&](const Comparison* c) { return c->near(f.units.front()).contains(unit); });
      });
      if (culprit != found.end()) {
        culprit->alternatives.push_back(unit);
      }
    } else if ((found.empty() || SlowCandidate({unit}, free).level() >= slow_excess()) &&
               number * suspect.by_noise(by_noise) <= kLargestChance) {
      found.push_back(suspect);
    }
  }
  const double together = slowest_near(pointers(found), {}).chance();
  for (auto& candidate : found) {
    candidate.sweeps = slowest_near({&candidate}, {});
    candidate.chance = std::min(1.0, number * std::max(candidate.by_noise(by_noise), together));
  }
  std::erase_if(found, [](const SlowCandidate& c) { return c.chance > kLargestChance; });
  return found;
}

std::vector<SlowCandidate> SlowSearch::slow_links(const std::vector<int>& suspected,
                                                  const std::vector<SlowCandidate>& units) const {
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
  std::vector<SlowCandidate> slow;
  for (const auto& [link, compared] : of_link) {
    SlowCandidate candidate({link.first, link.second}, compared);
    if (candidate.level() >= slow_excess() && is_link(candidate)) {
      slow.push_back(std::move(candidate));
    }
  }
  std::ranges::stable_sort(slow, std::greater(), [](const SlowCandidate& c) {
    return std::pair(c.compared.size(), c.level());
  });
  std::vector<SlowCandidate> found;
  for (auto& candidate : slow) {
    const bool explained = std::ranges::all_of(candidate.compared, [&](const Comparison* c) {
      return std::ranges::any_of(
          found, [&](const SlowCandidate& f) { return explains(f, candidate, *c); });
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

bool SlowSearch::is_link(const SlowCandidate& candidate) const {
  return candidate.factor() >= kSlowFactor && std::ranges::all_of(candidate.units, [&](int unit) {
           return SlowCandidate({unit}, about(unit)).level() < candidate.level() / 2;
         });
}

bool SlowSearch::explains(const SlowCandidate& stronger, const SlowCandidate& weaker,
                          const Comparison& comparison) {
  if (std::ranges::find(stronger.compared, &comparison) == stronger.compared.end()) {
    return false;
  }
  const auto waiting = near_any(stronger.units, comparison);
  return comparison.in_one_ring() ||
         std::ranges::all_of(weaker.units, [&](int unit) { return waiting.contains(unit); });
}

}  // namespace beff::b_eff
