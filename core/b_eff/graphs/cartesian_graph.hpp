#pragma once

#include <vector>

#include "core/b_eff/graph.hpp"

namespace beff::b_eff {

/// Neighbour exchange along some directions of a two- or three-dimensional grid (patterns 40–48).
class CartesianGraph final : public Graph {
 public:
  /// `directions` are dimension numbers in 0…dimensions-1; those of extent 1 are left out.
  CartesianGraph(int processes, int dimensions, bool cyclic, const std::vector<int>& directions);

  [[nodiscard]] Topology topology() const override {
    return dimensions_ == 2 ? Topology::kPlane : Topology::kSpace;
  }
  [[nodiscard]] CartesianShape cartesian_shape() const override { return shape_; }
  [[nodiscard]] Exchange exchange(int position) const override;
  [[nodiscard]] int processes() const override;
  [[nodiscard]] std::int64_t messages() const override;
  [[nodiscard]] double concurrent_senders() const override;
  /// False when every direction has extent 1: the pattern is then left out.
  [[nodiscard]] bool has_direction() const { return !directions_.empty(); }

 private:
  int dimensions_;
  CartesianShape shape_;
  std::vector<std::size_t> directions_;
};

}  // namespace beff::b_eff
