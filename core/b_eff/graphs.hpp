#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/b_eff/graph.hpp"

namespace beff::b_eff {

using GraphPointer = std::unique_ptr<const Graph>;

/// Rings of consecutive positions on the one-dimensional cyclic topology, about `standard_size`
/// processes each (see RingLayout).
GraphPointer rings(int processes, int standard_size);

/// One ring through all processes of the world in the order of a seeded random permutation.
GraphPointer random_ring(int processes, std::uint64_t seed);

/// One ring in the order 0, n-1, 1, n-2, 2 …: neighbours are far apart by rank.
GraphPointer worst_cycle(int processes);

/// Processes 2k and 2k+1 pair up. In all pairs one side sends while the other receives, then the
/// way back.
GraphPointer best_bisection(int processes);

/// Process i pairs with n'-1-i, n' being n rounded down to even.
GraphPointer worst_bisection(int processes);

/// Only the first two processes, one way at a time.
GraphPointer ping_pong(int processes);

/// Extents of a balanced grid of exactly n processes in 2 or 3 dimensions, never increasing, unused
/// dimensions 1. Among all factorisations it has the smallest first extent, then the smallest
/// second: what MPI_Dims_create asks for ("as close to each other as possible") without depending
/// on how a library answers, so that a plan needs no MPI.
std::array<int, 3> balanced_extents(int n, int dimensions);

/// Extents of the grid that the Cartesian patterns use for n processes: n is reduced until the last
/// extent exceeds 1; for fewer than 8 processes until n is even; below 4 it is taken as it is.
std::array<int, 3> pattern_grid(int n, int dimensions);

/// Neighbour exchange along some directions of a two- or three-dimensional grid. `directions` are
/// dimension numbers in 0…dimensions-1; those of extent 1 are left out. Null if none is left.
GraphPointer cartesian(int processes, int dimensions, bool cyclic,
                       const std::vector<int>& directions);

}  // namespace beff::b_eff
