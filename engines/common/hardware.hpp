#pragma once

#include <map>
#include <string>

#include "core/record/environment.hpp"
#include "engines/common/nodes.hpp"

namespace beff {

/// What hwloc and the operating system tell of the node this process runs on.
struct Hardware {
  Cpu cpu;
  std::string topology;  ///< one readable line
  Bytes memory = 0;      ///< installed
  /// The core of each hardware thread, by the system's number of the thread; usable ones only.
  std::map<int, int> core_of_thread;
};

/// Looks at this node; cores outside the job's cgroup do not count.
Hardware look_at_hardware();

/// What this process may use of its node's memory.
struct MemoryLimit {
  Bytes bytes;
  std::string source;  ///< "node memory" or "cgroup limit"
};

/// Installed memory, or the tightest cgroup limit (version 1 or 2) of this process if lower.
MemoryLimit usable_memory(Bytes installed);

Uname look_at_system();

/// Binding of all processes; that of the first node on rank 0. `hardware` is that of this node,
/// known on its leader. Collective over MPI_COMM_WORLD.
Binding gather_binding(const Nodes& nodes, const Hardware& hardware);

}  // namespace beff
