#pragma once

#include <cstdint>
#include <vector>

namespace beff {

/// Number n of the stream of 64-bit words that starts from `seed`: splitmix64 (Steele, Lea, Flood,
/// OOPSLA 2014).
[[nodiscard]] constexpr std::uint64_t splitmix(std::uint64_t seed, std::uint64_t n = 0) {
  std::uint64_t z = seed + (n + 1) * 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31U);
}

/// A seeded permutation of 0…n-1 that any process evaluates, forwards and backwards, in O(1) memory
/// and without communication.
///
/// It is the swap-or-not shuffle (Hoang, Morris, Rogaway, CRYPTO 2012): every round pairs x with
/// key - x mod n and, by a pseudo-random bit of the pair, swaps the two or not. Each round is its
/// own inverse, so the inverse permutation runs the rounds backwards; n need not be a power of two.
class RandomPermutation {
 public:
  /// Enough rounds that all permutations of small n are equally likely within what 10^5 seeds
  /// show, and more than 6·log2(n) for every n below 2^32.
  static constexpr int kFairRounds = 192;

  /// Fewer rounds are faster and less fair: right for an order that need only defeat read-ahead.
  RandomPermutation(std::uint64_t seed, std::int64_t n, int rounds = kFairRounds);

  /// The element at `index`; both in 0…n-1.
  [[nodiscard]] std::int64_t at(std::int64_t index) const;
  /// The index of `element`: at(index_of(e)) == e.
  [[nodiscard]] std::int64_t index_of(std::int64_t element) const;

 private:
  [[nodiscard]] std::uint64_t round(std::uint64_t x, int number) const;

  std::uint64_t seed_;
  std::uint64_t n_;
  int rounds_;
};

/// The generator of drand48: state after so many of its steps from `state`, 48 bits.
[[nodiscard]] constexpr std::uint64_t rand48_after(std::uint64_t state, std::int64_t steps) {
  constexpr std::uint64_t kMask = (std::uint64_t{1} << 48U) - 1;
  for (std::int64_t i = 0; i < steps; ++i) {
    state = (state * 0x5deece66dU + 0xbU) & kMask;
  }
  return state;
}

/// The state that srand48 makes of the lowest 32 bits of a seed.
[[nodiscard]] constexpr std::uint64_t rand48_begin(std::uint64_t seed) {
  return (seed & 0xffffffffU) << 16U | 0x330eU;
}

/// Ranks 0…n-1 in the order in which release 3.6 of b_eff draws them from `state`: each in turn
/// takes the place that the generator says, or the next free one. So ranks that follow each other
/// stay neighbours more often than in a uniform order. O(n) memory.
std::vector<int> order_of_release_3_6(std::uint64_t state, int n);

/// Largest seed: 2^53 - 1, so that every JSON reader keeps it exactly.
inline constexpr std::uint64_t kLargestSeed = (std::uint64_t{1} << 53) - 1;

/// The seed of random pattern `pattern_id` of a run with seed `run_seed`; at most kLargestSeed.
std::uint64_t pattern_seed(std::uint64_t run_seed, int pattern_id);

}  // namespace beff
