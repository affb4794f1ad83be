#include "engines/common/cpu_set.hpp"

#include <algorithm>
#include <cstdlib>

namespace beff {
CpuSet cpu_set(const unsigned long* words, std::size_t count) {
  CpuSet cpus(hwloc_bitmap_alloc());
  for (std::size_t word = 0; word < count; ++word) {
    hwloc_bitmap_set_ith_ulong(cpus.get(), static_cast<unsigned>(word), words[word]);
  }
  return cpus;
}

std::string cpu_list(const CpuSet& cpus) {
  char* text = nullptr;
  hwloc_bitmap_list_asprintf(&text, cpus.get());
  std::string list(text == nullptr ? "" : text);
  std::free(text);  // NOLINT(cppcoreguidelines-no-malloc): hwloc's own
  return list;
}

int crowded_sets(const std::vector<CpuSet>& processes) {
  const CpuSet crowded(hwloc_bitmap_alloc());
  int count = 0;
  for (const auto& cpus : processes) {
    const auto inside = std::ranges::count_if(processes, [&](const CpuSet& other) {
      return hwloc_bitmap_isincluded(other.get(), cpus.get()) != 0;
    });
    if (inside > cpu_count(cpus)) {
      count += hwloc_bitmap_intersects(crowded.get(), cpus.get()) == 0 ? 1 : 0;
      hwloc_bitmap_or(crowded.get(), crowded.get(), cpus.get());
    }
  }
  return count;
}

}  // namespace beff
