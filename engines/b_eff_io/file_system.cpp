// What the operating system tells of the file system under a folder.
#include <fmt/format.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>

#include "engines/b_eff_io/run_files.hpp"

namespace beff::b_eff_io {
namespace fs = std::filesystem;
namespace {

struct Mount {
  std::string point;
  std::string kind;
  std::string options;
};

/// The mount that covers `folder`: of those above it the longest, and of equal ones the last.
/// Fields as in proc_pid_mountinfo(5).
std::optional<Mount> mount_of(const fs::path& folder) {
  std::ifstream table("/proc/self/mountinfo");
  std::optional<Mount> best;
  for (std::string line; std::getline(table, line);) {
    std::istringstream before(line.substr(0, line.find(" - ")));
    std::istringstream after(line.substr(std::min(line.size(), line.find(" - ") + 3)));
    std::string skipped;
    Mount mount;
    before >> skipped >> skipped >> skipped >> skipped >> mount.point >> mount.options;
    after >> mount.kind;
    const auto relative = folder.lexically_relative(mount.point);
    const bool covers = !relative.empty() && *relative.begin() != "..";
    if (covers && (!best || mount.point.size() >= best->point.size())) {
      best = mount;
    }
  }
  return best;
}

}  // namespace

FileSystem describe_file_system(const std::vector<fs::path>& folders) {
  FileSystem described;
  for (const auto& folder : folders) {
    described.paths.push_back(folder.string());
  }
  if (folders.empty()) {
    return described;
  }
  std::error_code error;
  const auto real = fs::weakly_canonical(folders.front(), error);
  if (const auto mount = mount_of(error ? folders.front() : real)) {
    constexpr std::array<std::string_view, 3> kInMemory{"tmpfs", "ramfs", "hugetlbfs"};
    described.kind = mount->kind;
    described.mount = fmt::format("{} ({})", mount->point, mount->options);
    described.in_memory = std::ranges::find(kInMemory, mount->kind) != kInMemory.end();
  }
  struct statvfs state{};
  if (statvfs(folders.front().c_str(), &state) == 0) {
    described.total = static_cast<Bytes>(state.f_blocks) * static_cast<Bytes>(state.f_frsize);
    described.block_size = static_cast<Bytes>(state.f_bsize);
  }
  const Bytes free = free_space(folders.front());
  described.free_at_start = free == kUnlimited ? 0 : free;
  return described;
}

}  // namespace beff::b_eff_io
