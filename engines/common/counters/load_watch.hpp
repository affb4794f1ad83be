#pragma once

#include <vector>

#include "core/record/load.hpp"
#include "engines/common/counters/load.hpp"
#include "engines/common/mpi/nodes.hpp"

namespace beff {

/// Reads what each kernel counts of its CPUs and each process of its own time, before and after
/// what is measured. Nothing of a simulated machine.
class LoadWatch {
 public:
  /// Reads for the first time. `nodes` must outlive the object.
  explicit LoadWatch(const Nodes& nodes);

  /// The load since then, of each host, on rank 0; empty elsewhere. Collective over
  /// MPI_COMM_WORLD.
  [[nodiscard]] std::vector<HostLoad> since() const;

 private:
  const Nodes* nodes_;
  LoadCounters before_;  ///< on the first process of the kernel
  Seconds started_ = 0;
  Seconds own_before_ = 0;  ///< of this process in user mode
};

}  // namespace beff
