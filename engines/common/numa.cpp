#include "engines/common/numa.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

#include "engines/common/system_files.hpp"

namespace beff {

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
