#pragma once

#include <mpi.h>

namespace beff::b_eff_io {

/// By how many ranks to shift the readers of a partition, so that each reads what a process of
/// another node wrote, which its own node's page cache cannot hold; 0 where no shift does that for
/// all of them. `node` is a number that only this process's node has, `on_node` how many processes
/// of the job are there. O(1) memory. Collective over `members`.
[[nodiscard]] int reader_shift(MPI_Comm members, int node, int on_node);

}  // namespace beff::b_eff_io
