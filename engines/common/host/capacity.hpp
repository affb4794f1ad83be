#pragma once

#include <mpi.h>

#include <optional>
#include <vector>

#include "core/record/environment.hpp"
#include "engines/common/host/host.hpp"
#include "engines/common/mpi/nodes.hpp"

namespace beff {

/// The CPUs that this process may use; empty where not known.
CpuSet own_cpu_set();

/// Those of each process, on the first of them; elsewhere nothing. Collective over `comm`.
std::vector<CpuSet> gather_cpu_sets(MPI_Comm comm);

/// Binding of all processes; that of the first node on rank 0. `hardware` is that of this node,
/// known on its leader. Collective over MPI_COMM_WORLD.
Binding gather_binding(const Nodes& nodes, const Hardware& hardware);

/// What processes may use of their machines; nodes of one kernel are one machine.
struct Capacity {
  MemoryLimit memory{};           ///< of the machine, or what this node may use of it
  int sharers = 1;                ///< processes that share this memory
  Bytes of_all = 0;               ///< memory of all machines
  int cores_min = 0;              ///< of the smallest machine
  std::optional<double> quota{};  ///< CPUs of time; of the node with the least, if any has one
  bool oversubscribed = false;    ///< more processes than cores or CPUs of time somewhere

  /// Memory for each process of this node.
  [[nodiscard]] Bytes share() const { return memory.bytes / sharers; }
};

/// `hardware` and `memory` are those of this node, known on its leader. Memory is that of this
/// process's node, all else is the same everywhere. Collective over MPI_COMM_WORLD.
Capacity find_capacity(const Nodes& nodes, const Hardware& hardware, const MemoryLimit& memory);

}  // namespace beff
