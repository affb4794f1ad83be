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
#include "engines/common/mpi/handles.hpp"

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

/// The files of a run: in a folder of its own below each of the user's folders. Rank 0 makes and
/// removes the folders; all ranks know the names. What is not to be kept is removed at the end of
/// the scope, whatever happened.
class RunFiles {
 public:
  /// `run` is a number that no other run has; the folder is named after it. Touches nothing.
  RunFiles(const Folders& folders, const std::vector<Type>& types, std::uint64_t run, bool keep);
  RunFiles(const RunFiles&) = delete;
  RunFiles(RunFiles&&) = delete;
  RunFiles& operator=(const RunFiles&) = delete;
  RunFiles& operator=(RunFiles&&) = delete;
  ~RunFiles();

  /// Makes the folders. Throws UsageError naming --path.
  void create();
  /// On each rank: removes the files that it alone has written in partitions of so many processes,
  /// and that are not to be kept. Calls `went_on` after each.
  void remove_own(int rank, const std::vector<int>& partitions,
                  const std::function<void()>& went_on) const;
  /// Removes what create() has made and is not to be kept, with everything in it; returns what
  /// could not be removed. Calls `went_on` after each file.
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
  std::vector<std::string> remove_made(const std::function<void()>& went_on = [] {});

  std::map<Type, std::filesystem::path> by_type_;
  bool keep_;
  std::vector<std::filesystem::path> folders_;
  std::vector<std::filesystem::path> created_;
  /// Locked as long as the run lasts, so that `beff recover` sees that the folders are in use. The
  /// system unlocks them when the process ends.
  std::vector<OpenFile> locked_;
};

/// The sentence of a folder that could not be removed.
[[nodiscard]] std::string files_left(const std::string& folder);

/// Free space in byte of the file system that holds `folder`; kUnlimited where it reports none.
[[nodiscard]] Bytes free_space(const std::filesystem::path& folder);

/// The file system of the first folder: kind, mount, size.
[[nodiscard]] FileSystem describe_file_system(const std::vector<std::filesystem::path>& folders);

}  // namespace beff::b_eff_io
