#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace beff::b_eff {

/// How n processes are cut into rings of consecutive positions: rings of the two sizes ⌊n/k⌋ and
/// ⌊n/k⌋+1, those of even size first. Two runs of equal rings describe it in O(1) memory.
class RingLayout {
 public:
  /// Ring of a position: the ring's first position and its size.
  struct Ring {
    int first;
    int size;
  };

  /// Layout for `processes` ≥ 2 and the standard ring size 2 ≤ m ≤ processes:
  /// k = max(1, min(⌊n/m + 0.4⌋, ⌊n/2⌋)) rings; one ring for m = 4 and n ≤ 7 (IPDPS paper,
  /// section 4, second ring pattern).
  RingLayout(int processes, int standard_size);

  [[nodiscard]] int rings() const { return head_.count + tail_.count; }
  [[nodiscard]] Ring ring_of(int position) const;
  /// Messages of one iteration: two per process, one per process in a ring of two.
  [[nodiscard]] std::int64_t messages() const;
  /// All ring sizes in order; O(k) memory, for reports only.
  [[nodiscard]] std::vector<int> sizes() const;

 private:
  struct Run {
    int size;
    int count;
  };
  Run head_{};
  Run tail_{};
};

inline constexpr int kRingPatterns = 6;

/// Standard ring size of ring pattern 0…5 for n processes: 2, 4, 8, max(16, n/4), max(32, n/2), n,
/// each at most n.
int standard_ring_size(int ring_pattern, int processes);

/// Extents of a balanced grid of exactly n processes in 2 or 3 dimensions, never increasing, unused
/// dimensions 1. Among all factorisations it has the smallest first extent, then the smallest
/// second: what MPI_Dims_create asks for ("as close to each other as possible") without depending
/// on how a library answers, so that a plan needs no MPI.
std::array<int, 3> balanced_extents(int n, int dimensions);

/// Extents of the grid that the Cartesian patterns use for n processes: n is reduced until the last
/// extent exceeds 1; for fewer than 8 processes until n is even; below 4 it is taken as it is.
std::array<int, 3> pattern_grid(int n, int dimensions);

}  // namespace beff::b_eff
