#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace beff {

/// A file of a controller by its names in the two versions of cgroups.
struct CgroupFile {
  std::string_view controller;
  std::string_view in_version_2;
  std::string_view in_version_1;
};

/// Paths of a file in the cgroup of this process and in those above it, innermost first. A
/// container sees its own group as the root: paths that do not exist are among them. `root` has the
/// system's sys/ and proc/.
std::vector<std::filesystem::path> cgroup_paths(const std::filesystem::path& root,
                                                const CgroupFile& file);

}  // namespace beff
