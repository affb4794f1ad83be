#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace beff {

/// A set of hardware threads, or of NUMA nodes, by the system's numbers.
using CpuSet = std::set<int>;

/// The set with these words as the kernel has them: bit b of word w is CPU w · bits + b.
CpuSet cpu_set(const unsigned long* words, std::size_t count);

/// The set of a list like 0-3,8; what is no such list ends it.
CpuSet parse_cpu_list(const std::string& text);

/// As the kernel writes it: 0-3,8.
std::string cpu_list(const CpuSet& cpus);

/// The cores of hardware threads; a thread of no known core is one of its own.
CpuSet cores_of(const CpuSet& cpus, const std::map<int, int>& core_of_thread);

/// How many sets of cores have fewer cores than processes that are bound to them or to a part of
/// them, from the cores of each process; of such sets that overlap the smallest counts. Takes a few
/// milliseconds for 1024 processes and 128 cores.
int crowded_sets(const std::vector<CpuSet>& processes);

/// The NUMA node that has all of these CPUs, from a tree like /sys; empty where there is none.
std::optional<int> numa_node_of(const std::filesystem::path& sys, const CpuSet& cpus);

}  // namespace beff
