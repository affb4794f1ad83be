#include "core/random_permutation.hpp"

#include <algorithm>
#include <cstddef>

namespace beff {
RandomPermutation::RandomPermutation(std::uint64_t seed, std::int64_t n, int rounds)
    : seed_(splitmix(seed)), n_(static_cast<std::uint64_t>(n)), rounds_(rounds) {}

std::uint64_t RandomPermutation::round(std::uint64_t x, int number) const {
  const std::uint64_t key = splitmix(seed_ ^ static_cast<std::uint64_t>(number));
  const std::uint64_t partner = (key % n_ + n_ - x) % n_;
  const bool swap = (splitmix(key ^ splitmix(std::max(x, partner))) & 1U) != 0;
  return swap ? partner : x;
}

std::int64_t RandomPermutation::at(std::int64_t index) const {
  auto x = static_cast<std::uint64_t>(index);
  for (int number = 0; number < rounds_; ++number) {
    x = round(x, number);
  }
  return static_cast<std::int64_t>(x);
}

std::int64_t RandomPermutation::index_of(std::int64_t element) const {
  auto x = static_cast<std::uint64_t>(element);
  for (int number = rounds_; number-- > 0;) {
    x = round(x, number);
  }
  return static_cast<std::int64_t>(x);
}

std::vector<int> order_of_release_3_6(std::uint64_t state, int n) {
  constexpr double kStates = 0x1p48;
  constexpr int kFree = -1;
  std::vector<int> order(static_cast<std::size_t>(n), kFree);
  for (int rank = 0; rank < n; ++rank) {
    state = rand48_after(state, 1);
    auto place = static_cast<std::size_t>(static_cast<double>(state) / kStates * n);
    while (order[place] != kFree) {
      place = (place + 1) % order.size();
    }
    order[place] = rank;
  }
  return order;
}

std::uint64_t pattern_seed(std::uint64_t run_seed, int pattern_id) {
  return splitmix(splitmix(run_seed) ^ static_cast<std::uint64_t>(pattern_id)) & kLargestSeed;
}

}  // namespace beff
