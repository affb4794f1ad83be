#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "core/b_eff/plan.hpp"
#include "core/b_eff/process_times.hpp"
#include "core/record/environment.hpp"

namespace beff::b_eff {

/// Smaller differences are not looked for.
inline constexpr double kSlowFactor = 1.25;

/// The value below which at most `share` of the values lies; needs at least one value.
double quantile(std::vector<double> values, double share);

/// The parts of the machine that are compared: hosts where there are several, else processes.
struct Units {
  std::vector<int> of_rank;
  std::vector<std::vector<int>> ranks;  ///< of each unit
  bool are_hosts = false;

  [[nodiscard]] int count() const { return static_cast<int>(ranks.size()); }
};

Units units_of(const Environment& environment);

/// Whether units talk to others in a pattern, or their processes only among themselves.
enum class Where : std::uint8_t { kNetwork, kInside };

/// Units that one pattern loads alike, and by how much each took longer than its like.
class Comparison {
 public:
  using Link = std::pair<int, int>;  ///< two units that exchange messages, smaller number first

  int pattern = 0;  ///< id
  Where where = Where::kNetwork;
  /// By unit: logarithm of its time over that of the quick quarter of these units.
  std::map<int, double> excess;
  /// By unit: which of them wait for each other; empty in a ring through all of them.
  std::map<int, int> component;
  std::set<Link> links;

  [[nodiscard]] bool has(int unit) const { return excess.contains(unit); }
  [[nodiscard]] bool in_one_ring() const { return component.empty(); }
  /// Units that are slow when this one is: all that wait for it, or its neighbours in the ring.
  [[nodiscard]] std::set<int> near(int unit) const;
};

/// All comparisons that the times allow, in order of the patterns. See docs/slow-hosts.md.
std::vector<Comparison> compare(const Plan& plan, const Units& units, const ProcessTimes& times,
                                MessageLength messages);

}  // namespace beff::b_eff
