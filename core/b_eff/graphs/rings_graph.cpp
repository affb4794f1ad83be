#include "core/b_eff/graphs/rings_graph.hpp"

namespace beff::b_eff {

RingsGraph::RingsGraph(int processes, int standard_size)
    : processes_(processes), layout_(processes, standard_size) {}

CartesianShape RingsGraph::cartesian_shape() const {
  return {.extents = {processes_, 1, 1}, .cyclic = true};
}

Exchange RingsGraph::exchange(int position) const {
  const auto ring = layout_.ring_of(position);
  const int place = position - ring.first;
  Exchange exchange;
  exchange.add_way_and_back(ring.first + (place + ring.size - 1) % ring.size,
                            ring.first + (place + 1) % ring.size);
  return exchange;
}

}  // namespace beff::b_eff
