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

/// The CPUs of each process of this node on its leader, no words where not known; elsewhere
/// nothing.
std::vector<Words> gather_cpus(const Nodes& nodes) {
  auto mine = own_cpus();
  const int words = allreduce(static_cast<int>(mine.size()), MPI_MAX, nodes.local());
  const auto width = static_cast<std::size_t>(words);
  mine.resize(width);
  const auto processes =
      nodes.is_leader() ? static_cast<std::size_t>(nodes.local_processes()) : std::size_t{0};
  Words all(processes * width);
  MPI_Gather(mine.data(), words, MPI_UNSIGNED_LONG, all.data(), words, MPI_UNSIGNED_LONG, 0,
             nodes.local());
  std::vector<Words> of_processes;
  for (std::size_t process = 0; process < processes; ++process) {
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(process * width);
    of_processes.emplace_back(first, first + words);
  }
  return of_processes;
}

/// What processes with the same CPU set have in common.
struct ProcessPlace {
  CpuSet cores;
  std::string list;
  bool is_bound = false;
};

ProcessPlace place_of_process(const Words& words, const Hardware& hardware) {
  const auto cpus = cpu_set(words.data(), words.size());
  return {.cores = cores_of(cpus, hardware.core_of_thread),
          .list = cpu_list(cpus),
          .is_bound = !cpus.empty() && std::cmp_less(cpus.size(), hardware.cpu.threads)};
}

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
  for (const auto& words : gather_cpus(nodes)) {
    const auto [entry, is_new] = places.try_emplace(words);
    auto& place = entry->second;
    if (is_new) {
      place = place_of_process(words, hardware);
    }
    const auto cores = static_cast<int>(place.cores.size());
    fewest = std::min(fewest, cores);
    most = std::max(most, cores);
    binding.first_node.push_back(place.list);
    if (place.is_bound) {
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
