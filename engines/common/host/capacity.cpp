#include "engines/common/host/capacity.hpp"

#include <mpi.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engines/common/host/host.hpp"
#include "engines/common/mpi/agree.hpp"

namespace beff {
namespace {

using Words = std::vector<unsigned long>;

/// The CPUs this process may use, in as many words as the kernel wants to fill; empty where it
/// reports none.
Words own_cpus() {
  constexpr std::size_t kMostWords = 1 << 14;  // a million CPUs
  for (std::size_t count = 16; count <= kMostWords; count *= 2) {
    Words words(count);
    if (sched_getaffinity(0, count * sizeof words[0], reinterpret_cast<cpu_set_t*>(words.data())) ==
        0) {
      return words;
    }
    if (errno != EINVAL) {
      break;
    }
  }
  return {};
}

/// The CPUs of each process on the first one, no words where not known; elsewhere nothing.
/// Collective over `comm`.
std::vector<Words> gather_cpus(MPI_Comm comm) {
  auto mine = own_cpus();
  const int words = allreduce(static_cast<int>(mine.size()), MPI_MAX, comm);
  const auto width = static_cast<std::size_t>(words);
  mine.resize(width);
  const auto processes =
      rank_in(comm) == 0 ? static_cast<std::size_t>(size_of(comm)) : std::size_t{0};
  Words all(processes * width);
  MPI_Gather(mine.data(), words, MPI_UNSIGNED_LONG, all.data(), words, MPI_UNSIGNED_LONG, 0, comm);
  std::vector<Words> of_processes;
  for (std::size_t process = 0; process < processes; ++process) {
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(process * width);
    of_processes.emplace_back(first, first + words);
  }
  return of_processes;
}

CpuSet set_of(const Words& words) { return cpu_set(words.data(), words.size()); }

/// A process as the first one of its kernel sees it.
struct BoundProcess {
  int node;          ///< its leader's rank
  int node_threads;  ///< that the node may use
};

/// What processes with the same CPU set have in common.
struct UsableCpus {
  CpuSet cores;
  std::string list;
  int threads = 0;
};

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

CpuSet own_cpu_set() { return set_of(own_cpus()); }

std::vector<CpuSet> gather_cpu_sets(MPI_Comm comm) {
  std::map<Words, CpuSet> known;  // most processes of a large node share theirs with others
  std::vector<CpuSet> sets;
  for (const auto& words : gather_cpus(comm)) {
    const auto [entry, is_new] = known.try_emplace(words);
    if (is_new) {
      entry->second = set_of(words);
    }
    sets.push_back(entry->second);
  }
  return sets;
}

Binding gather_binding(const Nodes& nodes, const Hardware& hardware) {
  Binding binding;
  std::map<Words, UsableCpus> usable_by;  // most processes of a large node share theirs with others
  std::vector<CpuSet> bound;
  int unbound = 0;
  int fewest = std::numeric_limits<int>::max();
  int most = 0;
  const int threads = from_rank_0(hardware.cpu.threads, nodes.local());
  const auto processes =
      gather(BoundProcess{.node = nodes.leader(), .node_threads = threads}, nodes.of_kernel());
  const auto cpus_of_processes = gather_cpus(nodes.of_kernel());
  for (std::size_t process = 0; process < processes.size(); ++process) {
    const auto [entry, is_new] = usable_by.try_emplace(cpus_of_processes[process]);
    auto& usable = entry->second;
    if (is_new) {
      const auto cpus = set_of(entry->first);
      usable = {.cores = cores_of(cpus, hardware.core_of_thread),
                .list = cpu_list(cpus),
                .threads = static_cast<int>(cpus.size())};
    }
    const auto cores = static_cast<int>(usable.cores.size());
    fewest = std::min(fewest, cores);
    most = std::max(most, cores);
    if (processes[process].node == nodes.leader()) {
      binding.first_node.push_back(usable.list);
    }
    if (usable.threads > 0 && usable.threads < processes[process].node_threads) {
      bound.push_back(usable.cores);
    } else {
      ++unbound;
    }
  }
  const auto totals =
      allreduce(std::array{static_cast<int>(bound.size()), unbound, crowded_sets(bound)}, MPI_SUM);
  binding.bound_processes = totals[0];
  binding.unbound_processes = totals[1];
  binding.shared_cores = totals[2];
  const auto extremes = allreduce(std::array{-fewest, most}, MPI_MAX);
  if (-extremes[0] > 0) {  // else the system of some node reports none
    binding.cores_per_process_min = -extremes[0];
    binding.cores_per_process_max = extremes[1];
  }
  return binding;
}

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
    const MPI_Comm kernel = nodes.of_kernel();
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
