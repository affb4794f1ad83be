#include "engines/common/host/capacity.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <vector>

#include "engines/common/mpi/agree.hpp"

namespace beff {
namespace {

constexpr double kNoQuota = std::numeric_limits<double>::max();

/// What a node's leader knows of it.
struct NodeFacts {
  Bytes usable;
  int cores;
  double quota;
};

/// How many cores the sets of all processes have together. Collective over `comm`.
int cores_together(const CpuSet& cores, MPI_Comm comm) {
  constexpr int kBits = 64;
  const int words = 1 + allreduce(cores.empty() ? 0 : *cores.rbegin() / kBits, MPI_MAX, comm);
  std::vector<std::uint64_t> mask(static_cast<std::size_t>(words));
  for (const int core : cores) {
    mask[static_cast<std::size_t>(core / kBits)] |= std::uint64_t{1} << (core % kBits);
  }
  MPI_Allreduce(MPI_IN_PLACE, mask.data(), words, MPI_UINT64_T, MPI_BOR, comm);
  int count = 0;
  for (const auto word : mask) {
    count += std::popcount(word);
  }
  return count;
}

}  // namespace

Capacity find_capacity(const Nodes& nodes, const Hardware& hardware, const MemoryLimit& memory) {
  const auto node = from_rank_0(NodeFacts{.usable = memory.bytes,
                                          .cores = hardware.cpu.cores,
                                          .quota = hardware.cpu_quota.value_or(kNoQuota)},
                                nodes.local());
  const int processes = nodes.local_processes();
  Capacity capacity;
  capacity.memory = {.bytes = node.usable, .source = memory.source};
  capacity.sharers = processes;
  int cores = node.cores;
  Bytes of_machine = node.usable;
  if (nodes.shares_kernel()) {
    MPI_Comm kernel = nodes.of_kernel();
    const int of_nodes = allreduce(nodes.is_leader() ? node.cores : 0, MPI_SUM, kernel);
    cores = std::min(of_nodes, cores_together(hardware.cores, kernel));
    const Bytes installed = allreduce(hardware.memory, MPI_MAX, kernel);
    of_machine =
        std::min(installed, allreduce(nodes.is_leader() ? node.usable : Bytes{0}, MPI_SUM, kernel));
    const int all = nodes.processes_of_kernel();
    if (installed / all < capacity.share()) {
      capacity.memory = {.bytes = installed, .source = "memory of one kernel"};
      capacity.sharers = all;
    }
  }
  const bool is_crowded =
      processes > node.cores || processes > node.quota || nodes.processes_of_kernel() > cores;
  const auto lowest = allreduce(std::array{cores, is_crowded ? -1 : 0}, MPI_MIN);
  const double quota = allreduce(node.quota, MPI_MIN);
  const bool speaks = rank_in(nodes.of_kernel()) == 0;
  capacity.of_all = allreduce(speaks ? of_machine : Bytes{0}, MPI_SUM);
  capacity.cores_min = lowest[0];
  capacity.oversubscribed = lowest[1] < 0;
  capacity.quota = quota < kNoQuota ? std::optional(quota) : std::nullopt;
  return capacity;
}

}  // namespace beff
