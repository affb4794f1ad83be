#include "engines/common/cpu_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <sstream>
#include <utility>

namespace beff {
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

int crowded_sets(const std::vector<CpuSet>& processes) {
  CpuSet crowded;
  int count = 0;
  for (const auto& cpus : processes) {
    const auto inside = std::ranges::count_if(
        processes, [&](const CpuSet& other) { return std::ranges::includes(cpus, other); });
    if (std::cmp_greater(inside, cpus.size())) {
      const auto known = [&](int cpu) { return crowded.contains(cpu); };
      count += std::ranges::none_of(cpus, known) ? 1 : 0;
      crowded.insert(cpus.begin(), cpus.end());
    }
  }
  return count;
}

}  // namespace beff
