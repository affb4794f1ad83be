#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/b_eff/plan.hpp"
#include "core/b_eff/process_times.hpp"
#include "core/b_eff/relative_times.hpp"
#include "core/b_eff/sample.hpp"
#include "core/record/environment.hpp"
#include "core/record/json_fwd.hpp"

namespace beff::b_eff {

/// A host or process that is slow wherever it is compared, or a link that is slow wherever it is
/// used, with the evidence.
struct SlowPart {
  std::vector<int> units;  ///< one, or the two ends of a link
  std::vector<int> ranks;
  MessageLength messages;
  Where where;
  double factor;            ///< typical time over that of its like
  int patterns;             ///< comparisons it takes part in
  int patterns_slow;        ///< those in which it took kSlowFactor as long as its like, or longer
  int sweeps;               ///< sweeps through the sizes in these patterns
  int sweeps_slow;          ///< those whose slowest process was there or waited for it
  double sweeps_by_chance;  ///< as many would be expected if the slowest process were any
  double chance;            ///< bound of the probability of such agreement by accident
  std::vector<int> alternatives;  ///< units that the patterns cannot tell apart from it

  [[nodiscard]] bool is_link() const { return units.size() == 2; }
  [[nodiscard]] bool sure() const;
};

/// What was looked at: one length of messages, in the network or inside the hosts.
struct Examined {
  MessageLength messages;
  Where where;
  int patterns;  ///< in which units could be compared
  int units;     ///< compared in enough of them
  /// Units slow in four of five of them, where others are slow too often to be sure of any.
  std::vector<int> suspected;
};

struct SlowHosts {
  Units units;
  std::vector<std::string> names;  ///< of the units
  std::vector<Examined> examined;  ///< empty: nothing can be said
  std::vector<SlowPart> found;
  std::string unknown_because;  ///< why nothing can be said of the network; else empty

  /// Whether noise hides the answer.
  [[nodiscard]] bool doubtful() const;
};

/// Estimates which hosts or links are slow; docs/slow-hosts.md describes the method.
SlowHosts find_slow_hosts(const Plan& plan, const Environment& environment,
                          const ProcessTimes& times, std::span<const Sample> samples);

/// The outcome in one or more sentences, with what supports it and what else could explain it.
[[nodiscard]] std::string statement(const SlowHosts& slow);

/// The field `slow_hosts` of a result.
[[nodiscard]] Json to_json(const SlowHosts& slow);

}  // namespace beff::b_eff
