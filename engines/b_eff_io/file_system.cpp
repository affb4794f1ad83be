// What the operating system reports of the file system under a folder.
#include <fmt/format.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>

#include <algorithm>
#include <array>
#include <utility>

#include "engines/b_eff_io/mounts.hpp"
#include "engines/b_eff_io/run_files.hpp"
#include "engines/b_eff_io/storage.hpp"

namespace beff::b_eff_io {
namespace fs = std::filesystem;
namespace {

/// The default striping of a folder; nothing where Lustre, or a folder without one, reports none.
std::optional<Striping> striping_of(const fs::path& folder) {
  std::array<std::byte, 65536> attribute{};
  const auto size = getxattr(folder.c_str(), "lustre.lov", attribute.data(), attribute.size());
  return size > 0 ? lustre_striping(std::span(attribute).first(static_cast<std::size_t>(size)))
                  : std::nullopt;
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
  auto real = fs::weakly_canonical(folders.front(), error);
  if (error) {
    real = folders.front();
  }
  if (const auto mount = mount_of(real, "/proc/self/mountinfo")) {
    described.kind = mount->kind;
    described.mount = fmt::format("{} ({})", mount->point, mount->options);
    described.source = mount->source;
    described.options = mount->of_file_system;
  }
  auto storage = storage_of(folders.front());
  described.in_memory = storage.in_memory;
  described.below = std::move(storage.below);
  described.reads_seen_by = storage.reads_seen_by;
  described.striping = striping_of(real);
  struct statvfs state{};
  if (statvfs(folders.front().c_str(), &state) == 0) {
    described.total = product(state.f_blocks, state.f_frsize);
    described.block_size = product(state.f_bsize, 1);
  }
  const Bytes free = free_space(folders.front());
  described.free_at_start = std::min(free, described.total);
  return described;
}

}  // namespace beff::b_eff_io
