#include "core/b_eff/graphs/ordered_ring_graph.hpp"

namespace beff::b_eff {

Exchange OrderedRingGraph::exchange(int position) const {
  const int place = place_of(position);
  Exchange exchange;
  exchange.add_way_and_back(process_at((place + processes_ - 1) % processes_),
                            process_at((place + 1) % processes_));
  return exchange;
}

std::int64_t OrderedRingGraph::messages() const {
  return processes_ == 2 ? 2 : std::int64_t{2} * processes_;
}

}  // namespace beff::b_eff
