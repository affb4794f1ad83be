#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/record/environment.hpp"
#include "engines/common/memory/chosen_memory.hpp"
#include "engines/common/mpi/launch.hpp"
#include "engines/common/mpi/nodes.hpp"
#include "engines/common/watch/watchdog.hpp"

namespace beff {

/// Memory as the user states it; what is empty is looked up.
struct StatedMemory {
  std::optional<Bytes> per_process;
  std::optional<Bytes> per_node;
  std::optional<Bytes> total;   ///< of the system
  bool total_of_nodes = false;  ///< the memory of the system is at least that of the nodes
};

/// The memory of `processes` processes that fill the cores of nodes like this one: as stated, or
/// their share. Needs no MPI.
[[nodiscard]] Memory memory_for_plan(const StatedMemory& stated, int processes);

/// Gathers the environment record on rank 0; the other ranks know only what they agree on:
/// processes, memory, oversubscription. Throws UsageError on all ranks when more memory is stated
/// than a node or, where the buffers lie on one, a device has. Collective over MPI_COMM_WORLD.
Environment gather_environment(const MpiSession& session, Watchdog& watchdog, const Nodes& nodes,
                               const StatedMemory& stated, const ChosenMemory& chosen,
                               std::vector<std::string> command_line);

}  // namespace beff
