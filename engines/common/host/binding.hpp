#pragma once

#include <mpi.h>

#include <vector>

#include "core/record/environment.hpp"
#include "engines/common/host/cpu_set.hpp"
#include "engines/common/host/hardware.hpp"
#include "engines/common/mpi/nodes.hpp"

namespace beff {

/// The CPUs that this process may use; empty where not known.
CpuSet own_cpu_set();

/// Those of each process, on the first of them; elsewhere nothing. Collective over `comm`.
std::vector<CpuSet> gather_cpu_sets(MPI_Comm comm);

/// Binding of all processes; that of the first node on rank 0. `hardware` is that of this node,
/// known on its leader. Collective over MPI_COMM_WORLD.
Binding gather_binding(const Nodes& nodes, const Hardware& hardware);

}  // namespace beff
