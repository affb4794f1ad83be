#include "core/b_eff/graphs/pairs_graph.hpp"

namespace beff::b_eff {

Exchange PairsGraph::exchange(int position) const {
  Exchange exchange;
  if (position >= processes_) {
    return exchange;
  }
  const auto [partner, sends_first] = pairing(position);
  if (sends_first) {
    exchange.add_way_and_back(partner, kNoPeer);
  } else {
    exchange.add_way_and_back(kNoPeer, partner);
  }
  return exchange;
}

}  // namespace beff::b_eff
