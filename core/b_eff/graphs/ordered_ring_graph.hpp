#pragma once

#include "core/b_eff/graph.hpp"

namespace beff::b_eff {

/// One ring through all processes of the world in an order of its own.
/// A derived class gives the order and its inverse; both in O(1) memory.
class OrderedRingGraph : public Graph {
 public:
  explicit OrderedRingGraph(int processes) : processes_(processes) {}

  [[nodiscard]] Topology topology() const final { return Topology::kWorld; }
  [[nodiscard]] Exchange exchange(int position) const final;
  [[nodiscard]] int processes() const final { return processes_; }
  [[nodiscard]] std::int64_t messages() const final;
  [[nodiscard]] std::vector<int> ring_sizes() const final { return {processes_}; }

 protected:
  /// The process at `place` of the ring.
  [[nodiscard]] virtual int process_at(int place) const = 0;
  /// The place of `process` in the ring.
  [[nodiscard]] virtual int place_of(int process) const = 0;

 private:
  int processes_;
};

}  // namespace beff::b_eff
