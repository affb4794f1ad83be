#include "engines/common/host/binding.hpp"

#include <sched.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engines/common/host/cpu_set.hpp"
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
struct ProcessPlace {
  CpuSet cores;
  std::string list;
  int threads = 0;
};

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
  std::map<Words, ProcessPlace> places;  // most processes of a large node share theirs with others
  std::vector<CpuSet> bound;
  int unbound = 0;
  int fewest = std::numeric_limits<int>::max();
  int most = 0;
  const int threads = from_rank_0(hardware.cpu.threads, nodes.local());
  const auto processes =
      gather(BoundProcess{.node = nodes.leader(), .node_threads = threads}, nodes.of_kernel());
  const auto cpus_of_processes = gather_cpus(nodes.of_kernel());
  for (std::size_t process = 0; process < processes.size(); ++process) {
    const auto [entry, is_new] = places.try_emplace(cpus_of_processes[process]);
    auto& place = entry->second;
    if (is_new) {
      const auto cpus = set_of(entry->first);
      place = {.cores = cores_of(cpus, hardware.core_of_thread),
               .list = cpu_list(cpus),
               .threads = static_cast<int>(cpus.size())};
    }
    const auto cores = static_cast<int>(place.cores.size());
    fewest = std::min(fewest, cores);
    most = std::max(most, cores);
    if (processes[process].node == nodes.leader()) {
      binding.first_node.push_back(place.list);
    }
    if (place.threads > 0 && place.threads < processes[process].node_threads) {
      bound.push_back(place.cores);
    } else {
      ++unbound;
    }
  }
  const auto totals =
      allreduce(std::array{static_cast<int>(bound.size()), unbound, crowded_sets(bound)}, MPI_SUM);
  binding.bound_processes = totals[0];
  binding.unbound_processes = totals[1];
  binding.shared_cores = totals[2];
  const auto found = allreduce(std::array{-fewest, most}, MPI_MAX);
  if (-found[0] > 0) {  // else the system of some node reports none
    binding.cores_per_process_min = -found[0];
    binding.cores_per_process_max = found[1];
  }
  return binding;
}

}  // namespace beff
