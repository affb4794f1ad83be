#include "engines/common/binding.hpp"

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

#include "engines/common/agree.hpp"
#include "engines/common/cpu_set.hpp"

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

/// A process as the first one of its kernel sees it.
struct BoundProcess {
  Words cpus;  ///< none where not known
  int node;    ///< its leader's rank
  bool is_bound;
};

/// All processes of this kernel on its first one; elsewhere nothing.
std::vector<BoundProcess> gather_processes(const Nodes& nodes, int threads_of_node) {
  const auto kernel = nodes.of_kernel();
  auto mine = own_cpus();
  const auto own_threads = cpu_set(mine.data(), mine.size()).size();
  const bool is_bound = own_threads > 0 && std::cmp_less(own_threads, threads_of_node);
  const auto facts = gather(std::array{nodes.leader(), is_bound ? 1 : 0}, kernel);
  const int words = allreduce(static_cast<int>(mine.size()), MPI_MAX, kernel);
  const auto width = static_cast<std::size_t>(words);
  mine.resize(width);
  Words all(facts.size() * width);
  MPI_Gather(mine.data(), words, MPI_UNSIGNED_LONG, all.data(), words, MPI_UNSIGNED_LONG, 0,
             kernel);
  std::vector<BoundProcess> processes;
  for (std::size_t process = 0; process < facts.size(); ++process) {
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(process * width);
    const auto& [node, bound] = facts[process];
    processes.push_back({.cpus = {first, first + words}, .node = node, .is_bound = bound == 1});
  }
  return processes;
}

/// What processes with the same CPU set have in common.
struct ProcessPlace {
  CpuSet cores;
  std::string list;
};

}  // namespace

CpuSet own_cpu_set() {
  const auto words = own_cpus();
  return cpu_set(words.data(), words.size());
}

Binding gather_binding(const Nodes& nodes, const Hardware& hardware) {
  Binding binding;
  std::map<Words, ProcessPlace> places;  // most processes of a large node share theirs with others
  std::vector<CpuSet> bound;
  int unbound = 0;
  int fewest = std::numeric_limits<int>::max();
  int most = 0;
  const int threads = from_rank_0(hardware.cpu.threads, nodes.local());
  for (const auto& process : gather_processes(nodes, threads)) {
    const auto [entry, is_new] = places.try_emplace(process.cpus);
    auto& place = entry->second;
    if (is_new) {
      const auto cpus = cpu_set(process.cpus.data(), process.cpus.size());
      place = {.cores = cores_of(cpus, hardware.core_of_thread), .list = cpu_list(cpus)};
    }
    const auto cores = static_cast<int>(place.cores.size());
    fewest = std::min(fewest, cores);
    most = std::max(most, cores);
    if (process.node == nodes.leader()) {
      binding.first_node.push_back(place.list);
    }
    if (process.is_bound) {
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
