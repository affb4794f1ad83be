#include <array>

#include "core/b_eff/graphs.hpp"

namespace beff::b_eff {
namespace {

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
