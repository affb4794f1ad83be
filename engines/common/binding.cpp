#include "engines/common/binding.hpp"

#include <sched.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <limits>
#include <map>
#include <set>
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

/// The CPUs of each process of this node on its leader, empty where not known; elsewhere nothing.
std::vector<CpuSet> gather_cpus(const Nodes& nodes) {
  auto mine = own_cpus();
  const int words = allreduce(static_cast<int>(mine.size()), MPI_MAX, nodes.local());
  const auto width = static_cast<std::size_t>(words);
  mine.resize(width);
  const auto processes =
      nodes.is_leader() ? static_cast<std::size_t>(nodes.local_processes()) : std::size_t{0};
  Words all(processes * width);
  MPI_Gather(mine.data(), words, MPI_UNSIGNED_LONG, all.data(), words, MPI_UNSIGNED_LONG, 0,
             nodes.local());
  std::vector<CpuSet> sets;
  for (std::size_t process = 0; process < processes; ++process) {
    sets.push_back(cpu_set(all.data() + process * width, width));
  }
  return sets;
}

/// Physical cores of a CPU set; CPUs of no known core count as a core each.
int core_count(const CpuSet& cpus, const std::map<int, int>& core_of_thread) {
  std::set<int> cores;
  int unknown = 0;
  for (const int cpu : cpus) {
    const auto core = core_of_thread.find(cpu);
    if (core == core_of_thread.end()) {
      ++unknown;
    } else {
      cores.insert(core->second);
    }
  }
  return static_cast<int>(cores.size()) + unknown;
}

}  // namespace

CpuSet own_cpu_set() {
  const auto words = own_cpus();
  return cpu_set(words.data(), words.size());
}

Binding gather_binding(const Nodes& nodes, const Hardware& hardware) {
  Binding binding;
  std::vector<CpuSet> bound;
  int unbound = 0;
  int fewest = std::numeric_limits<int>::max();
  int most = 0;
  for (auto& cpus : gather_cpus(nodes)) {
    const int cores = core_count(cpus, hardware.core_of_thread);
    fewest = std::min(fewest, cores);
    most = std::max(most, cores);
    binding.first_node.push_back(cpu_list(cpus));
    const auto threads = static_cast<int>(cpus.size());
    if (threads > 0 && threads < hardware.cpu.threads) {
      bound.push_back(std::move(cpus));
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
