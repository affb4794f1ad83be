#include "core/b_eff/shapes.hpp"

#include <algorithm>
#include <array>
#include <utility>

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

}  // namespace beff::b_eff
