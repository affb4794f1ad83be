#pragma once

#include <hwloc.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace beff {

struct BitmapDeleter {
  void operator()(hwloc_bitmap_t bitmap) const { hwloc_bitmap_free(bitmap); }
};

/// A set of hardware threads, by the system's numbers, as large as the machine needs.
using CpuSet = std::unique_ptr<hwloc_bitmap_s, BitmapDeleter>;

/// The set with these words as hwloc and the kernel have them: bit b of word w is CPU w · bits + b.
CpuSet cpu_set(const unsigned long* words, std::size_t count);

/// As the kernel writes it: 0-3,8.
std::string cpu_list(const CpuSet& cpus);

[[nodiscard]] inline int cpu_count(const CpuSet& cpus) { return hwloc_bitmap_weight(cpus.get()); }

/// How many of the processes' sets have fewer CPUs than processes that are bound to them or to a
/// part of them; such sets that overlap count as one.
int crowded_sets(const std::vector<CpuSet>& processes);

}  // namespace beff
