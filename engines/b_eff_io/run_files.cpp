#include "engines/b_eff_io/setup.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "core/b_eff_io/layout.hpp"
#include "engines/b_eff_io/storage.hpp"
#include "engines/common/host/host.hpp"
#include "engines/common/watch/end.hpp"

// What the operating system reports of the file system under a folder.

namespace beff::b_eff_io {
namespace fs = std::filesystem;
namespace {

/// Where the file system knows no locks, nothing is locked.
OpenFile locked(const fs::path& folder) {
  OpenFile file(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  (void)flock(file.get(), LOCK_EX | LOCK_NB);
  return file;
}

/// The default striping of a folder; nothing where Lustre, or a folder without one, reports none.
std::optional<Striping> striping_of(const fs::path& folder) {
  std::array<std::byte, 65536> attribute{};
  const auto size = getxattr(folder.c_str(), "lustre.lov", attribute.data(), attribute.size());
  return size > 0 ? lustre_striping(std::span(attribute).first(static_cast<std::size_t>(size)))
                  : std::nullopt;
}

}  // namespace

RunFiles::RunFiles(const Folders& folders, const std::vector<Type>& types, std::uint64_t run,
                   bool keep)
    : keep_(keep) {
  const auto name = fmt::format("b_eff_io-{:016x}", run);
  for (const Type type : types) {
    auto folder = fs::absolute(folders.of(type)) / name;
    if (std::ranges::find(folders_, folder) == folders_.end()) {
      folders_.push_back(folder);
    }
    by_type_.emplace(type, std::move(folder));
  }
}

RunFiles::~RunFiles() {
  for (const auto& folder : remove()) {
    say(files_left(folder));
  }
}

void RunFiles::create() {
  for (const auto& folder : folders_) {
    std::error_code error;
    if (!fs::is_directory(folder.parent_path(), error)) {
      remove_made();
      throw UsageError(fmt::format("--path {}: this folder does not exist; create it first",
                                   folder.parent_path().string()));
    }
    if (!fs::create_directory(folder, error)) {
      remove_made();
      throw UsageError(fmt::format("--path {}: nothing can be written there ({}); choose another",
                                   folder.parent_path().string(), error.message()));
    }
    created_.push_back(folder);
    locked_.push_back(locked(folder));
  }
}

void RunFiles::remove_own(int rank, const std::vector<int>& partitions,
                          const std::function<void()>& went_on) const {
  for (const auto& [type, folder] : by_type_) {
    for (std::size_t partition = 0; partition < partitions.size(); ++partition) {
      if (!keep_ && row(type).file_per_process() && rank < partitions[partition]) {
        unlink(path(static_cast<int>(partition), type, rank).c_str());  // rank 0 finds what is left
        went_on();
      }
    }
  }
}

std::vector<std::string> RunFiles::remove(const std::function<void()>& went_on) {
  return keep_ ? std::vector<std::string>() : remove_made(went_on);
}

std::vector<std::string> RunFiles::remove_made(const std::function<void()>& went_on) {
  std::vector<std::string> leftovers;
  for (const auto& folder : created_) {
    const OpenFile opened(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    for (const auto& entry : sorted_entries(folder)) {
      unlinkat(opened.get(), entry.filename().c_str(), 0);
      went_on();
    }
    std::error_code error;
    fs::remove_all(folder, error);  // what is left, and the folder
    if (error) {
      leftovers.push_back(fmt::format("{} ({})", folder.string(), error.message()));
    }
  }
  created_.clear();
  locked_.clear();
  return leftovers;
}

fs::path RunFiles::path(int partition, Type type, int rank) const {
  return by_type_.at(type) / file_name(partition, type, rank);
}

Bytes RunFiles::free() const {
  Bytes least = kUnlimited;
  for (const auto& folder : folders_) {
    least = std::min(least, free_space(folder));
  }
  return least;
}

std::string files_left(const std::string& folder) {
  return "b_eff_io: the files could not be removed: " + folder;
}

Bytes free_space(const fs::path& folder) {
  struct statvfs state{};
  if (statvfs(folder.c_str(), &state) != 0 || state.f_blocks == 0) {
    return kUnlimited;
  }
  return product(state.f_bavail, state.f_frsize);
}

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
