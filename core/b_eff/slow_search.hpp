#pragma once

#include <map>
#include <set>
#include <vector>

#include "core/b_eff/relative_times.hpp"
#include "core/b_eff/slow_candidate.hpp"

namespace beff::b_eff {

/// By pattern: of each sweep through the sizes the unit of the slowest process, loop by loop.
using Sweeps = std::map<int, std::vector<std::vector<int>>>;

/// What is slow, and what looks so but may be noise.
struct SlowJudgement {
  std::vector<SlowCandidate> found;  ///< units, and after them links
  std::vector<int> suspected;        ///< units; only where none was found
};

/// The search among all comparisons of one length of messages, in the network or inside the hosts.
/// Both arguments must outlive it. Method: docs/slow-hosts.md.
class SlowSearch {
 public:
  SlowSearch(const std::vector<Comparison>& all, Where where, const Sweeps& sweeps);

  /// How many patterns can be compared.
  [[nodiscard]] int patterns() const;

  /// Units that enough comparisons tell about.
  [[nodiscard]] std::vector<int> comparable(int units) const;

  /// Those of `comparable` and those links that are slow beyond chance.
  [[nodiscard]] SlowJudgement judge(const std::vector<int>& comparable) const;

 private:
  /// What tells about a unit; rings through all of them, where the others wait for the slow one
  /// sooner or later, only if there is too little else.
  [[nodiscard]] Compared about(int unit) const;

  static Compared without_rings(const Compared& compared);

  /// Share of the units that look slow although none of `units` explains it; never quite 0.
  [[nodiscard]] double noise(const std::vector<int>& units, const SlowCandidate* link) const;

  /// In how many sweeps most loops were slowest at one of `mine` or waited for it. Sweeps that
  /// `others` explain are left out.
  [[nodiscard]] SweepCount slowest_near(const std::vector<const SlowCandidate*>& mine,
                                        const std::vector<const SlowCandidate*>& others) const;

  static std::set<int> near_all(const std::vector<const SlowCandidate*>& candidates,
                                const Comparison& comparison);

  static std::vector<const SlowCandidate*> pointers(const std::vector<SlowCandidate>& candidates);

  /// Those of the suspects, in descending order of level, that are not slow for another's sake.
  [[nodiscard]] std::vector<SlowCandidate> independent(const std::vector<SlowCandidate>& suspects,
                                                       std::size_t tried) const;

  /// Pairs that are slow whenever they talk to each other, while neither is slow otherwise.
  [[nodiscard]] std::vector<SlowCandidate> slow_links(
      const std::vector<int>& suspected, const std::vector<SlowCandidate>& units) const;

  /// Whether the two are slow with each other by far more than either is by itself.
  [[nodiscard]] bool is_link(const SlowCandidate& candidate) const;

  /// Whether the weaker link is slow in a pattern because it waits for the stronger one.
  static bool explains(const SlowCandidate& stronger, const SlowCandidate& weaker,
                       const Comparison& comparison);

  Where where_;
  const Sweeps* sweeps_;
  Compared comparisons_;
};

}  // namespace beff::b_eff
