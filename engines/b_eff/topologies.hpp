#pragma once

#include <mpi.h>

#include <vector>

#include "core/b_eff/graph.hpp"
#include "engines/common/communicator.hpp"

namespace beff::b_eff {

/// The communicators of the process topologies, made when first needed: a handful for the whole
/// benchmark, not one per pattern. MPI may reorder the processes of a Cartesian topology.
class Topologies {
 public:
  /// The communicator whose ranks are the graph's positions; MPI_COMM_NULL for a process outside.
  /// Collective over MPI_COMM_WORLD.
  MPI_Comm communicator_of(const Graph& graph);

 private:
  struct Entry {
    CartesianShape shape;
    Communicator communicator;
  };
  std::vector<Entry> entries_;
};

}  // namespace beff::b_eff
