#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/record/counters.hpp"
#include "engines/common/counters/counters.hpp"
#include "engines/common/mpi/nodes.hpp"

namespace beff {

/// Bytes of messages that a process has sent.
struct SentBytes {
  std::int64_t leaving = 0;  ///< to other hosts
  std::int64_t inside = 0;   ///< to processes of its own
};

/// Reads what the ports of each host count, before and after what is measured; one process of each
/// host does. Nothing of a simulated machine.
class WireWatch {
 public:
  /// Reads for the first time. `nodes` must outlive the object.
  explicit WireWatch(const Nodes& nodes);

  /// What was carried since then, of each host, on rank 0; empty elsewhere. `sent` by this process
  /// meanwhile, empty on all where it is not known. Collective over MPI_COMM_WORLD.
  [[nodiscard]] std::vector<HostWires> carried(const std::optional<SentBytes>& sent) const;

 private:
  [[nodiscard]] HostWires read() const;

  const Nodes* nodes_;
  HostWires before_;  ///< on the leader
};

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
