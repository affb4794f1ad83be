#pragma once

#include <array>

namespace beff::b_eff {

/// Extents of a balanced grid of exactly n processes in 2 or 3 dimensions, never increasing, unused
/// dimensions 1. Among all factorisations it has the smallest first extent, then the smallest
/// second: what MPI_Dims_create asks for ("as close to each other as possible") without depending
/// on how a library answers, so that a plan needs no MPI.
std::array<int, 3> balanced_extents(int n, int dimensions);

/// Extents of the grid that the Cartesian patterns use for n processes: n is reduced until the last
/// extent exceeds 1; for fewer than 8 processes until n is even; below 4 it is taken as it is.
std::array<int, 3> pattern_grid(int n, int dimensions);

}  // namespace beff::b_eff
