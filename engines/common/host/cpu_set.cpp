#include "engines/common/host/host.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <climits>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

namespace beff {
namespace {

/// A set of cores, and how many processes are bound to exactly it.
struct CoreSet {
  const CpuSet* cores;
  int processes;
};

/// Processes that are bound to the set or to a part of it: such a part begins at one of its
/// cores, and sets of equal first cores are in the order of their sizes.
int processes_inside(const CoreSet& set,
                     const std::map<int, std::vector<const CoreSet*>>& by_first_core) {
  int inside = 0;
  for (const int core : *set.cores) {
    const auto entry = by_first_core.find(core);
    if (entry == by_first_core.end()) {
      continue;
    }
    for (const auto* other : entry->second) {
      if (other->cores->size() > set.cores->size()) {
        break;
      }
      inside += std::ranges::includes(*set.cores, *other->cores) ? other->processes : 0;
    }
  }
  return inside;
}

}  // namespace

CpuSet cpu_set(const unsigned long* words, std::size_t count) {
  constexpr std::size_t kBits = sizeof(unsigned long) * CHAR_BIT;
  CpuSet cpus;
  for (std::size_t cpu = 0; cpu < count * kBits; ++cpu) {
    if ((words[cpu / kBits] >> (cpu % kBits) & 1) != 0) {
      cpus.insert(cpus.end(), static_cast<int>(cpu));
    }
  }
  return cpus;
}

CpuSet parse_cpu_list(const std::string& text) {
  constexpr int kMost = 1 << 20;
  CpuSet cpus;
  std::istringstream stream(text);
  char separator = ',';
  for (int first = 0; separator == ',' && stream >> first;) {
    int last = first;
    if (!stream.eof() && stream.peek() == '-') {
      stream.get();
      stream >> last;
    }
    if (!stream || first < 0 || last < first || last >= kMost) {
      break;
    }
    for (int cpu = first; cpu <= last; ++cpu) {
      cpus.insert(cpu);
    }
    separator = '\0';
    stream >> separator;
  }
  return cpus;
}

std::string cpu_list(const CpuSet& cpus) {
  std::string list;
  for (auto cpu = cpus.begin(); cpu != cpus.end();) {
    const int first = *cpu;
    int last = first;
    for (++cpu; cpu != cpus.end() && *cpu == last + 1; ++cpu) {
      ++last;
    }
    list += fmt::format("{}{}", list.empty() ? "" : ",", first);
    if (last > first) {
      list += fmt::format("-{}", last);
    }
  }
  return list;
}

CpuSet cores_of(const CpuSet& cpus, const std::map<int, int>& core_of_thread) {
  CpuSet cores;
  for (const int cpu : cpus) {
    const auto core = core_of_thread.find(cpu);
    cores.insert(core == core_of_thread.end() ? cpu : core->second);
  }
  return cores;
}

int crowded_sets(const std::vector<CpuSet>& processes) {
  std::map<CpuSet, int> bound;
  for (const auto& cores : processes) {
    ++bound[cores];
  }
  std::vector<CoreSet> sets;
  for (const auto& [cores, count] : bound) {
    if (!cores.empty()) {
      sets.push_back({.cores = &cores, .processes = count});
    }
  }
  std::ranges::stable_sort(sets, {}, [](const CoreSet& set) { return set.cores->size(); });
  std::map<int, std::vector<const CoreSet*>> by_first_core;
  for (const auto& set : sets) {
    by_first_core[*set.cores->begin()].push_back(&set);
  }
  CpuSet crowded;
  int count = 0;
  for (const auto& set : sets) {
    if (std::cmp_less(set.cores->size(), processes_inside(set, by_first_core))) {
      const auto known = [&](int core) { return crowded.contains(core); };
      count += std::ranges::none_of(*set.cores, known) ? 1 : 0;
      crowded.insert(set.cores->begin(), set.cores->end());
    }
  }
  return count;
}

std::optional<int> numa_node_of(const std::filesystem::path& sys, const CpuSet& cpus) {
  constexpr std::string_view kNode = "node";
  for (const auto& folder : sorted_entries(sys / "devices/system/node")) {
    const auto name = folder.filename().string();
    if (cpus.empty() || !name.starts_with(kNode) || !is_there(folder / "cpulist")) {
      continue;
    }
    int node = 0;
    const auto [_, problem] =
        std::from_chars(name.data() + kNode.size(), name.data() + name.size(), node);
    if (problem == std::errc() &&
        std::ranges::includes(parse_cpu_list(line_in(folder / "cpulist")), cpus)) {
      return node;
    }
  }
  return std::nullopt;
}

}  // namespace beff
