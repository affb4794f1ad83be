#include "engines/pairs/mpi_machine.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "engines/common/counters/counters.hpp"
#include "engines/common/mpi/agree.hpp"
#include "engines/common/mpi/clock.hpp"
#include "engines/common/mpi/launch.hpp"

namespace beff::pairs {
namespace {

constexpr Seconds kPass = 0.01;

/// Copies block after block for the time of a pass; byte per second.
double copy_for_a_pass(const Buffers& buffers, Bytes block) {
  Bytes offset = 0;
  Bytes copied = 0;
  const Seconds begin = run_time();
  double took = 0;
  while (took < kPass) {
    std::memcpy(buffers.receive() + offset, buffers.send() + offset,
                static_cast<std::size_t>(block));
    copied += block;
    offset = offset + 2 * block <= buffers.bytes() ? offset + block : 0;
    took = run_time() - begin;
  }
  return static_cast<double>(copied) / took;
}

/// The slowest process's rate in the best pass, in MB/s: what all reach at the same time.
double copy_MBps(const Buffers& buffers, Bytes block) {
  double best = 0;
  double left = kCopiesTake;
  while (left > 0) {
    MPI_Barrier(MPI_COMM_WORLD);
    const Seconds begin = run_time();
    const double mine = copy_for_a_pass(buffers, block);
    best = std::max(best, allreduce(mine, MPI_MIN));
    left = from_rank_0(left - (run_time() - begin));
  }
  std::memset(buffers.receive(), 0, static_cast<std::size_t>(buffers.bytes()));
  return best / kBytesPerMB;
}

}  // namespace

Roofs look_at_roofs(const Nodes& nodes, const Buffers& buffers, Bytes block) {
  if (kSimulated) {
    return {};
  }
  Roofs roofs;
  const Seconds begin = run_time();
  if (buffers.memory().is_of_host()) {
    roofs.copy_MBps_per_process = copy_MBps(buffers, block);
  }
  roofs.of_hosts =
      gather_records(nodes.is_leader() ? std::optional(read_host_hardware("/sys")) : std::nullopt);
  roofs.took = run_time() - begin;
  return roofs;
}

}  // namespace beff::pairs
