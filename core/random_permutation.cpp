#include "core/random_permutation.hpp"

#include <algorithm>

namespace beff {
namespace {

/// The splitmix64 finaliser (Steele, Lea, Flood, OOPSLA 2014).
constexpr std::uint64_t mix(std::uint64_t z) {
  z += 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31U);
}

}  // namespace

RandomPermutation::RandomPermutation(std::uint64_t seed, std::int64_t n, int rounds)
    : seed_(mix(seed)), n_(static_cast<std::uint64_t>(n)), rounds_(rounds) {}

std::uint64_t RandomPermutation::round(std::uint64_t x, int number) const {
  const std::uint64_t key = mix(seed_ ^ static_cast<std::uint64_t>(number));
  const std::uint64_t partner = (key % n_ + n_ - x) % n_;
  const bool swap = (mix(key ^ mix(std::max(x, partner))) & 1U) != 0;
  return swap ? partner : x;
}

std::int64_t RandomPermutation::at(std::int64_t place) const {
  auto x = static_cast<std::uint64_t>(place);
  for (int number = 0; number < rounds_; ++number) {
    x = round(x, number);
  }
  return static_cast<std::int64_t>(x);
}

std::int64_t RandomPermutation::place_of(std::int64_t element) const {
  auto x = static_cast<std::uint64_t>(element);
  for (int number = rounds_; number-- > 0;) {
    x = round(x, number);
  }
  return static_cast<std::int64_t>(x);
}

std::uint64_t pattern_seed(std::uint64_t run_seed, int pattern_id) {
  return mix(mix(run_seed) ^ static_cast<std::uint64_t>(pattern_id)) & kLargestSeed;
}

}  // namespace beff
