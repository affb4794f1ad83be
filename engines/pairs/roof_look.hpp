#pragma once

#include "core/pairs/measure.hpp"
#include "engines/common/mpi/nodes.hpp"
#include "engines/pairs/buffers.hpp"

namespace beff::pairs {

/// Measures what copying reaches and gathers what each host's system reports; a fraction of a
/// second. The copies go from the send to the receive buffer in blocks of `block` byte, in all
/// processes at the same time; the receive buffer is zero afterwards. Nothing of a simulated
/// machine. Collective over MPI_COMM_WORLD.
Roofs look_at_roofs(const Nodes& nodes, const Buffers& buffers, Bytes block);

}  // namespace beff::pairs
