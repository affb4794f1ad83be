#include "core/b_eff/graphs.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <numeric>
#include <utility>

#include "core/random_permutation.hpp"

namespace beff::b_eff {
namespace {

int ring_count(std::int64_t n, std::int64_t m) {
  constexpr int kLargestSingleRingOfFour = 7;
  if (m == 4 && n <= kLargestSingleRingOfFour) {
    return 1;
  }
  const std::int64_t rounded = (10 * n + 4 * m) / (10 * m);  // ⌊n/m + 0.4⌋ without rounding errors
  return static_cast<int>(std::max<std::int64_t>(1, std::min(rounded, n / 2)));
}

std::int64_t messages_per_ring(std::int64_t size) { return size == 2 ? 2 : 2 * size; }

/// The smallest d ≥ 1 with d·d ≥ n.
int ceil_sqrt(int n) {
  int root = 1;
  while (static_cast<long long>(root) * root < n) {
    ++root;
  }
  return root;
}

std::array<int, 3> balanced_plane(int n) {
  int first = ceil_sqrt(n);
  while (n % first != 0) {
    ++first;
  }
  return {first, n / first, 1};
}

std::array<int, 3> balanced_space(int n) {
  int first = 1;
  while (static_cast<long long>(first) * first * first < n) {
    ++first;
  }
  for (;; ++first) {
    if (n % first != 0) {
      continue;
    }
    const auto rest = balanced_plane(n / first);
    if (rest[0] <= first) {
      return {first, rest[0], rest[1]};
    }
  }
}

}  // namespace

RingLayout::RingLayout(int processes, int standard_size) {
  const int count = ring_count(processes, standard_size);
  const int small = processes / count;
  const int large_rings = processes % count;
  head_ = {.size = small, .count = count - large_rings};
  tail_ = {.size = small + 1, .count = large_rings};
  if (head_.size % 2 != 0) {
    std::swap(head_, tail_);
  }
}

RingLayout::Ring RingLayout::ring_of(int position) const {
  const int head_positions = head_.size * head_.count;
  if (position < head_positions) {
    return {.first = position / head_.size * head_.size, .size = head_.size};
  }
  const int behind = position - head_positions;
  return {.first = head_positions + behind / tail_.size * tail_.size, .size = tail_.size};
}

std::int64_t RingLayout::messages() const {
  return head_.count * messages_per_ring(head_.size) + tail_.count * messages_per_ring(tail_.size);
}

std::vector<int> RingLayout::sizes() const {
  std::vector<int> all(static_cast<std::size_t>(head_.count), head_.size);
  all.insert(all.end(), static_cast<std::size_t>(tail_.count), tail_.size);
  return all;
}

int standard_ring_size(int ring_pattern, int processes) {
  const std::array<int, kRingPatterns> sizes{
      2, 4, 8, std::max(16, processes / 4), std::max(32, processes / 2), processes};
  return std::min(sizes.at(static_cast<std::size_t>(ring_pattern)), processes);
}

std::array<int, 3> balanced_extents(int n, int dimensions) {
  return dimensions == 2 ? balanced_plane(n) : balanced_space(n);
}

std::array<int, 3> pattern_grid(int n, int dimensions) {
  constexpr int kTakenAsIs = 4;
  constexpr int kOnlyEven = 8;
  const auto last = static_cast<std::size_t>(dimensions - 1);
  for (int used = n;; --used) {
    if (used < kTakenAsIs) {
      return balanced_extents(used, dimensions);
    }
    const auto extents = balanced_extents(used, dimensions);
    if (n < kOnlyEven ? used % 2 == 0 : extents.at(last) > 1) {
      return extents;
    }
  }
}

namespace {

class Rings final : public Graph {
 public:
  Rings(int processes, int standard_size)
      : processes_(processes), layout_(processes, standard_size) {}

  [[nodiscard]] Topology topology() const override { return Topology::kLine; }
  [[nodiscard]] CartesianShape cartesian_shape() const override {
    return {.extents = {processes_, 1, 1}, .cyclic = true};
  }
  [[nodiscard]] int processes() const override { return processes_; }
  [[nodiscard]] std::int64_t messages() const override { return layout_.messages(); }
  [[nodiscard]] std::vector<int> ring_sizes() const override { return layout_.sizes(); }

  [[nodiscard]] Exchange exchange(int position) const override {
    const auto ring = layout_.ring_of(position);
    const int index = position - ring.first;
    Exchange exchange;
    exchange.add_way_and_back(ring.first + (index + ring.size - 1) % ring.size,
                              ring.first + (index + 1) % ring.size);
    return exchange;
  }

 private:
  int processes_;
  RingLayout layout_;
};

/// One ring through all processes. An order has `at(index)`, the process there, and its inverse
/// `index_of(process)`.
template <class Order>
class OrderedRing final : public Graph {
 public:
  OrderedRing(int processes, Order order) : processes_(processes), order_(std::move(order)) {}

  [[nodiscard]] Topology topology() const override { return Topology::kWorld; }
  [[nodiscard]] int processes() const override { return processes_; }
  [[nodiscard]] std::int64_t messages() const override {
    return processes_ == 2 ? 2 : std::int64_t{2} * processes_;
  }
  [[nodiscard]] std::vector<int> ring_sizes() const override { return {processes_}; }

  [[nodiscard]] Exchange exchange(int position) const override {
    const auto index = static_cast<int>(order_.index_of(position));
    Exchange exchange;
    exchange.add_way_and_back(process_at(index + processes_ - 1), process_at(index + 1));
    return exchange;
  }

 private:
  [[nodiscard]] int process_at(int index) const {
    return static_cast<int>(order_.at(index % processes_));
  }

  int processes_;
  Order order_;
};

/// 0, n-1, 1, n-2, 2 …
struct WorstOrder {
  int processes;

  [[nodiscard]] int at(int index) const {
    return index % 2 == 0 ? index / 2 : processes - 1 - index / 2;
  }
  [[nodiscard]] int index_of(int process) const {
    const int at_even = (processes + 1) / 2;
    return process < at_even ? 2 * process : 2 * (processes - 1 - process) + 1;
  }
};

/// See order_of_release_3_6().
struct DrawnOrder {
  std::uint64_t state;
  int processes;

  [[nodiscard]] int at(int index) const {
    return order_of_release_3_6(state, processes).at(static_cast<std::size_t>(index));
  }
  [[nodiscard]] std::ptrdiff_t index_of(int process) const {
    const auto order = order_of_release_3_6(state, processes);
    return std::ranges::find(order, process) - order.begin();
  }
};

struct Pairing {
  int partner;
  bool sends_first;
};

Pairing neighbours(int position, int /*processes*/) {
  return {.partner = position ^ 1, .sends_first = position % 2 == 0};
}

Pairing opposites(int position, int processes) {
  return {.partner = processes - 1 - position, .sends_first = position < processes / 2};
}

/// Disjoint pairs on the world.
class Pairs final : public Graph {
 public:
  /// `processes` is even; positions from there on do not take part.
  Pairs(int processes, Pairing (*pairing)(int position, int processes))
      : processes_(processes), pairing_(pairing) {}

  [[nodiscard]] Topology topology() const override { return Topology::kWorld; }
  [[nodiscard]] int processes() const override { return processes_; }
  [[nodiscard]] std::int64_t messages() const override { return processes_; }
  [[nodiscard]] double concurrent_senders() const override {
    const int pairs = processes_ / 2;
    return pairs;
  }

  [[nodiscard]] Exchange exchange(int position) const override {
    Exchange exchange;
    if (position >= processes_) {
      return exchange;
    }
    const auto [partner, sends_first] = pairing_(position, processes_);
    if (sends_first) {
      exchange.add_way_and_back(partner, kNoPeer);
    } else {
      exchange.add_way_and_back(kNoPeer, partner);
    }
    return exchange;
  }

 private:
  int processes_;
  Pairing (*pairing_)(int position, int processes);
};

class Cartesian final : public Graph {
 public:
  Cartesian(int dimensions, CartesianShape shape, std::vector<std::size_t> directions)
      : dimensions_(dimensions), shape_(shape), directions_(std::move(directions)) {}

  [[nodiscard]] Topology topology() const override {
    return dimensions_ == 2 ? Topology::kPlane : Topology::kSpace;
  }
  [[nodiscard]] CartesianShape cartesian_shape() const override { return shape_; }
  [[nodiscard]] int processes() const override {
    return std::reduce(shape_.extents.begin(), shape_.extents.end(), 1, std::multiplies<>{});
  }

  [[nodiscard]] Exchange exchange(int position) const override {
    Exchange exchange;
    if (position < processes()) {
      for (const std::size_t direction : directions_) {
        exchange.add_way_and_back(neighbour(position, direction, -1),
                                  neighbour(position, direction, +1));
      }
    }
    return exchange;
  }

  [[nodiscard]] std::int64_t messages() const override {
    std::int64_t total = 0;
    for (const std::size_t direction : directions_) {
      const std::int64_t extent = shape_.extents.at(direction);
      const std::int64_t lines = processes() / extent;
      if (shape_.cyclic) {
        total += lines * (extent == 2 ? 2 : 2 * extent);
      } else {
        total += lines * 2 * (extent - 1);
      }
    }
    return total;
  }

  // Where the grid ends, one process of a line has no receiver in each step.
  [[nodiscard]] double concurrent_senders() const override {
    const auto steps = 2 * static_cast<double>(directions_.size());
    return shape_.cyclic ? processes() : static_cast<double>(messages()) / steps;
  }

 private:
  // Positions are numbered as MPI_Cart_create does: row-major, the last dimension fastest.
  [[nodiscard]] int neighbour(int position, std::size_t direction, int shift) const {
    int stride = 1;
    for (std::size_t d = direction + 1; d < shape_.extents.size(); ++d) {
      stride *= shape_.extents.at(d);
    }
    const int extent = shape_.extents.at(direction);
    const int coordinate = position / stride % extent;
    const int target = coordinate + shift;
    if (!shape_.cyclic && (target < 0 || target >= extent)) {
      return kNoPeer;
    }
    return position + ((target + extent) % extent - coordinate) * stride;
  }

  int dimensions_;
  CartesianShape shape_;
  std::vector<std::size_t> directions_;
};

}  // namespace

GraphPointer rings(int processes, int standard_size) {
  return std::make_unique<Rings>(processes, standard_size);
}

GraphPointer random_ring(int processes, std::uint64_t seed) {
  return std::make_unique<OrderedRing<RandomPermutation>>(processes,
                                                          RandomPermutation(seed, processes));
}

GraphPointer release_3_6_ring(int processes, std::uint64_t state) {
  return std::make_unique<OrderedRing<DrawnOrder>>(
      processes, DrawnOrder{.state = state, .processes = processes});
}

GraphPointer worst_cycle(int processes) {
  return std::make_unique<OrderedRing<WorstOrder>>(processes, WorstOrder{processes});
}

GraphPointer best_bisection(int processes) {
  return std::make_unique<Pairs>(processes / 2 * 2, neighbours);
}

GraphPointer worst_bisection(int processes) {
  return std::make_unique<Pairs>(processes / 2 * 2, opposites);
}

GraphPointer ping_pong(int /*processes*/) { return std::make_unique<Pairs>(2, neighbours); }

GraphPointer cartesian(int processes, int dimensions, bool cyclic,
                       const std::vector<int>& directions) {
  const CartesianShape shape{.extents = pattern_grid(processes, dimensions), .cyclic = cyclic};
  std::vector<std::size_t> used;
  for (const int direction : directions) {
    const auto index = static_cast<std::size_t>(direction);
    if (shape.extents.at(index) > 1) {
      used.push_back(index);
    }
  }
  return used.empty() ? nullptr : std::make_unique<Cartesian>(dimensions, shape, std::move(used));
}

}  // namespace beff::b_eff
