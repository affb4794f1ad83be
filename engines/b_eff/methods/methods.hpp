#pragma once

#include <memory>

#include "engines/b_eff/transfer.hpp"

namespace beff::b_eff {

/// MPI_Sendrecv, where only one way is used MPI_Send or MPI_Recv; one message after the other.
std::unique_ptr<Transfer> make_sendrecv(const Messages& messages);
/// MPI_Alltoallv, all messages of an iteration in one call. O(n) memory: MPI asks for it.
std::unique_ptr<Transfer> make_alltoallv(const Messages& messages);
/// MPI_Irecv, MPI_Isend, MPI_Waitall.
std::unique_ptr<Transfer> make_nonblocking(const Messages& messages);
/// MPI_Neighbor_alltoallv on a distributed graph made for the pattern.
std::unique_ptr<Transfer> make_neighbor_alltoallv(const Messages& messages);
/// Persistent requests: MPI_Startall, MPI_Waitall.
std::unique_ptr<Transfer> make_persistent(const Messages& messages);
/// MPI_Put into the receivers' buffers between two MPI_Win_fence.
std::unique_ptr<Transfer> make_put_fence(const Messages& messages);

}  // namespace beff::b_eff
