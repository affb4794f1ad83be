#pragma once

#include "core/b_eff/graphs/ordered_ring_graph.hpp"

namespace beff::b_eff {

/// One ring in the order 0, n-1, 1, n-2, 2 … (pattern 36): neighbours are far apart by rank.
class WorstCycleGraph final : public OrderedRingGraph {
 public:
  using OrderedRingGraph::OrderedRingGraph;

 private:
  [[nodiscard]] int process_at(int place) const override {
    return place % 2 == 0 ? place / 2 : processes() - 1 - place / 2;
  }
  [[nodiscard]] int place_of(int process) const override {
    const int places_at_even = (processes() + 1) / 2;
    return process < places_at_even ? 2 * process : 2 * (processes() - 1 - process) + 1;
  }
};

}  // namespace beff::b_eff
