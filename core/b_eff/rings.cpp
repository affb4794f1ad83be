#include "core/b_eff/rings.hpp"

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

}  // namespace beff::b_eff
