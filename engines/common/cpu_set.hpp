#pragma once

#include <cstddef>
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

/// How many of the processes' sets have fewer CPUs than processes that are bound to them or to a
/// part of them; such sets that overlap count as one.
int crowded_sets(const std::vector<CpuSet>& processes);

}  // namespace beff
