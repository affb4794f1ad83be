#pragma once

#include <vector>

#include "core/b_eff/relative_times.hpp"

namespace beff::b_eff {

using Compared = std::vector<const Comparison*>;

/// Excess, as a logarithm, from which on a unit counts as slow.
[[nodiscard]] double slow_excess();

/// How often a candidate was the slowest of all in sweeps through the message sizes.
struct SweepCount {
  int number = 0;
  int slow = 0;
  double expected = 0;

  /// Probability of as many if the slowest process were any; 0 when no sweep can tell.
  [[nodiscard]] double chance() const;
};

/// What may be slow: one unit, or two for the link between them.
struct SlowCandidate {
  std::vector<int> units;
  Compared compared;
  std::vector<double> excesses;  ///< in each of the comparisons, of the quicker of two ends
  SweepCount sweeps = {};
  double chance = 1;
  std::vector<int> alternatives;

  SlowCandidate(std::vector<int> of, Compared in);

  /// What it exceeds its like by in all but a fifth of the comparisons.
  [[nodiscard]] double level() const;
  [[nodiscard]] int slow_in() const;
  /// Probability of as many if each comparison made it slow with this probability.
  [[nodiscard]] double by_noise(double noise) const;
  /// Typical excess where others need not wait; in a ring through all, the others wait too.
  [[nodiscard]] double factor() const;
};

}  // namespace beff::b_eff
