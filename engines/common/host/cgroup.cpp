#include "engines/common/host/cgroup.hpp"

#include <fmt/format.h>

#include <fstream>
#include <string>

namespace beff {
namespace fs = std::filesystem;
namespace {

/// Appends `top/group/file` and the same of every group above.
void append_upwards(std::vector<fs::path>& paths, const fs::path& top, std::string group,
                    std::string_view file) {
  for (;;) {
    paths.emplace_back(fmt::format("{}{}/{}", top.string(), group, file));
    if (group.empty() || group == "/") {
      return;
    }
    group.resize(group.rfind('/'));
  }
}

/// Whether a list like cpu,cpuacct has the name.
bool lists(const std::string& controllers, std::string_view name) {
  return fmt::format(",{},", controllers).find(fmt::format(",{},", name)) != std::string::npos;
}

}  // namespace

std::vector<fs::path> cgroup_paths(const fs::path& root, const CgroupFile& file) {
  std::vector<fs::path> paths;
  std::ifstream groups(root / "proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) {
      continue;
    }
    const auto controllers = line.substr(first + 1, second - first - 1);
    const auto group = line.substr(second + 1);
    if (controllers.empty()) {
      append_upwards(paths, root / "sys/fs/cgroup", group, file.in_version_2);
    } else if (lists(controllers, file.controller)) {
      for (const std::string_view mount : {std::string_view(controllers), file.controller}) {
        append_upwards(paths, root / "sys/fs/cgroup" / mount, group, file.in_version_1);
      }
    }
  }
  return paths;
}

}  // namespace beff
