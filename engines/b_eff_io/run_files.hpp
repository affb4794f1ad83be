#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/b_eff_io/pattern_table.hpp"
#include "core/b_eff_io/sample.hpp"
#include "engines/common/fail.hpp"
#include "engines/common/owned.hpp"

namespace beff::b_eff_io {

/// Where the user wants the files: one folder, and others for single types.
struct Folders {
  std::optional<std::filesystem::path> all;
  std::map<Type, std::filesystem::path> by_type;

  /// Throws std::out_of_range when neither is given for the type.
  [[nodiscard]] const std::filesystem::path& of(Type type) const {
    if (const auto own = by_type.find(type); own != by_type.end()) {
      return own->second;
    }
    if (!all) {
      throw std::out_of_range("no folder is given for this type");
    }
    return *all;
  }
};

/// The files of a run: in a folder of its own below each of the user's folders. Made and removed
/// by rank 0; all ranks know the names.
class RunFiles {
 public:
  /// `run` is a number that no other run has; the folder is named after it. Touches nothing.
  RunFiles(const Folders& folders, const std::vector<Type>& types, std::uint64_t run);

  /// Makes the folders. Throws UsageError naming --path.
  void create();
  /// Removes what create() has made, with everything in it; returns what could not be removed.
  /// Calls `went_on` after each file.
  std::vector<std::string> remove(const std::function<void()>& went_on = [] {});

  /// A file for trying out what the library can.
  [[nodiscard]] std::filesystem::path trial_path(Type type) const {
    return by_type_.at(type) / "trial";
  }
  /// A file for try_pointer_file().
  [[nodiscard]] std::filesystem::path pointer_path(Type type) const {
    return by_type_.at(type) / "pointer";
  }
  [[nodiscard]] std::filesystem::path path(int partition, Type type, int rank) const;
  [[nodiscard]] const std::vector<std::filesystem::path>& folders() const { return folders_; }
  /// Free space for an ordinary user; the smallest where there are several file systems.
  [[nodiscard]] Bytes free() const;

 private:
  std::map<Type, std::filesystem::path> by_type_;
  std::vector<std::filesystem::path> folders_;
  std::vector<std::filesystem::path> created_;
  /// Locked as long as the run lasts, so that `beff recover` sees that the folders are in use. The
  /// system unlocks them when the process ends.
  std::vector<OpenFile> locked_;
};

/// Removes the files of a run at the end of the scope, whatever happened, unless they are to be
/// kept.
class FileGuard {
 public:
  FileGuard(RunFiles& files, bool keep) : files_(&files), keep_(keep) {}
  FileGuard(const FileGuard&) = delete;
  FileGuard(FileGuard&&) = delete;
  FileGuard& operator=(const FileGuard&) = delete;
  FileGuard& operator=(FileGuard&&) = delete;
  ~FileGuard() {
    for (const auto& folder : remove()) {
      say("b_eff_io: the files could not be removed: " + folder);
    }
  }

  [[nodiscard]] const RunFiles& files() const { return *files_; }
  /// See RunFiles::remove().
  std::vector<std::string> remove(const std::function<void()>& went_on = [] {}) {
    return keep_ ? std::vector<std::string>() : files_->remove(went_on);
  }

 private:
  RunFiles* files_;
  bool keep_;
};

/// Free space in byte of the file system that holds `folder`; kUnlimited where it reports none.
[[nodiscard]] Bytes free_space(const std::filesystem::path& folder);

/// The file system of the first folder: kind, mount, size.
[[nodiscard]] FileSystem describe_file_system(const std::vector<std::filesystem::path>& folders);

}  // namespace beff::b_eff_io
