#pragma once

#include "core/b_eff/graph.hpp"
#include "core/b_eff/rings.hpp"

namespace beff::b_eff {

/// Rings of consecutive positions on the one-dimensional cyclic topology (patterns 0–5).
class RingsGraph final : public Graph {
 public:
  RingsGraph(int processes, int standard_size);

  [[nodiscard]] Topology topology() const override { return Topology::kLine; }
  [[nodiscard]] CartesianShape cartesian_shape() const override;
  [[nodiscard]] Exchange exchange(int position) const override;
  [[nodiscard]] int processes() const override { return processes_; }
  [[nodiscard]] std::int64_t messages() const override { return layout_.messages(); }
  [[nodiscard]] std::vector<int> ring_sizes() const override { return layout_.sizes(); }

 private:
  int processes_;
  RingLayout layout_;
};

}  // namespace beff::b_eff
