#include "engines/common/binding.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <map>
#include <set>
#include <vector>

namespace beff {
namespace {

cpu_set_t own_cpus() {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  sched_getaffinity(0, sizeof cpus, &cpus);
  return cpus;
}

/// A CPU list as the kernel writes it: 0-3,8.
std::string cpu_list(const cpu_set_t& cpus) {
  std::string text;
  for (std::size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &cpus)) {
      continue;
    }
    auto last = cpu;
    while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, &cpus)) {
      ++last;
    }
    text += text.empty() ? "" : ",";
    text += last == cpu ? fmt::format("{}", cpu) : fmt::format("{}-{}", cpu, last);
    cpu = last;
  }
  return text;
}

/// Physical cores of a CPU set; CPUs of no known core count as a core each.
int core_count(const cpu_set_t& cpus, const std::map<int, int>& core_of_thread) {
  std::set<int> cores;
  int unknown = 0;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(static_cast<std::size_t>(cpu), &cpus)) {
      const auto core = core_of_thread.find(cpu);
      if (core == core_of_thread.end()) {
        ++unknown;
      } else {
        cores.insert(core->second);
      }
    }
  }
  return static_cast<int>(cores.size()) + unknown;
}

/// CPU sets to which more processes are bound than they have CPUs.
int overfull_sets(std::vector<cpu_set_t> sets) {
  const auto less = [](const cpu_set_t& a, const cpu_set_t& b) {
    return std::memcmp(&a, &b, sizeof a) < 0;
  };
  std::ranges::sort(sets, less);
  int overfull = 0;
  for (auto first = sets.begin(); first != sets.end();) {
    const auto last = std::upper_bound(first, sets.end(), *first, less);
    overfull += last - first > CPU_COUNT(&*first) ? 1 : 0;
    first = last;
  }
  return overfull;
}

}  // namespace

Binding gather_binding(const Nodes& nodes, const Hardware& hardware) {
  const cpu_set_t mine = own_cpus();
  std::vector<cpu_set_t> all(nodes.is_leader() ? static_cast<std::size_t>(nodes.local_processes())
                                               : 0);
  MPI_Gather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, 0, nodes.local());
  Binding binding;
  std::vector<cpu_set_t> bound;
  int fewest = std::numeric_limits<int>::max();
  int most = 0;
  for (const auto& cpus : all) {
    const int cores = core_count(cpus, hardware.core_of_thread);
    fewest = std::min(fewest, cores);
    most = std::max(most, cores);
    binding.first_node.push_back(cpu_list(cpus));
    if (CPU_COUNT(&cpus) < hardware.cpu.threads) {
      bound.push_back(cpus);
    }
  }
  const std::array<int, 3> counts{static_cast<int>(bound.size()),
                                  static_cast<int>(all.size() - bound.size()),
                                  overfull_sets(bound)};
  std::array<int, 3> totals = counts;
  MPI_Reduce(counts.data(), totals.data(), 3, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  binding.bound_processes = totals[0];
  binding.unbound_processes = totals[1];
  binding.shared_cores = totals[2];
  const std::array<int, 2> extremes{-fewest, most};
  std::array<int, 2> found = extremes;
  MPI_Reduce(extremes.data(), found.data(), 2, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
  binding.cores_per_process_min = -found[0];
  binding.cores_per_process_max = found[1];
  return binding;
}

}  // namespace beff
