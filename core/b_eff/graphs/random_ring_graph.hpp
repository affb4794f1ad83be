#pragma once

#include "core/b_eff/graphs/ordered_ring_graph.hpp"
#include "core/random_permutation.hpp"

namespace beff::b_eff {

/// One ring through all processes in the order of a seeded random permutation (patterns 6–35).
class RandomRingGraph final : public OrderedRingGraph {
 public:
  RandomRingGraph(int processes, std::uint64_t seed)
      : OrderedRingGraph(processes), permutation_(seed, processes) {}

 private:
  [[nodiscard]] int process_at(int place) const override {
    return static_cast<int>(permutation_.at(place));
  }
  [[nodiscard]] int place_of(int process) const override {
    return static_cast<int>(permutation_.place_of(process));
  }

  RandomPermutation permutation_;
};

}  // namespace beff::b_eff
