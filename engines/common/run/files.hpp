#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "engines/common/mpi/handles.hpp"

namespace beff {

/// Why a file cannot be used: the reason alone, as in `No space left on device`.
class FileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Opens a regular file with the flags of open(2); O_CREAT makes one. Asks first what a path is, so
/// that nothing waits for a pipe and no device is touched; what else is there is a FileError.
[[nodiscard]] OpenFile open_regular(const std::filesystem::path& path, int flags);

/// As much as any file may have that is read as a whole.
inline constexpr std::size_t kLargestFile = std::size_t{1} << 30;

/// Reads a regular file of at most `most` byte that is text: UTF-8 without NUL. Throws FileError.
[[nodiscard]] std::string read_text(const std::filesystem::path& path,
                                    std::size_t most = kLargestFile);

/// The text of a file that an option names, of 1 MB at most. Throws UsageError, which ends with
/// what to do.
[[nodiscard]] std::string text_of_option(std::string_view option, const std::string& file,
                                         std::string_view way_out);

/// Reads `length` byte from `at` on; fewer where the file ends before, or cannot be read.
[[nodiscard]] std::size_t read_at(const OpenFile& file, void* memory, std::size_t length, off_t at);

/// Throws FileError where not all of it could be written.
void write_all(const OpenFile& file, std::string_view text);

/// Replaces the file by `text` in one step: a reader sees the old file or the whole new one. It has
/// then been flushed to the disk and closed, each without an error, as some file systems refuse
/// only there what they have taken before. Throws FileError, and leaves the old file.
void write_atomically(const std::filesystem::path& path, std::string_view text);

/// Writes `text` into a new file of the same name in $TMPDIR or in the working folder, the first
/// that takes it, and returns its path; empty where none does. Replaces nothing.
[[nodiscard]] std::optional<std::filesystem::path> write_elsewhere(
    const std::filesystem::path& wanted, std::string_view text);

/// The files of one run, all beginning with the same prefix.
class OutputFiles {
 public:
  explicit OutputFiles(std::string prefix) : prefix_(std::move(prefix)) {}

  [[nodiscard]] std::filesystem::path result() const { return prefix_ + ".json"; }
  [[nodiscard]] std::filesystem::path protocol() const { return prefix_ + ".txt"; }
  [[nodiscard]] std::filesystem::path journal() const { return prefix_ + ".journal.jsonl"; }

  /// Throws UsageError when the folder is missing or cannot be written. Writes nothing.
  void check_folder() const;
  /// Throws UsageError when a file of an earlier run would be lost and `overwrite` is false, or
  /// when what is there is no file. Writes nothing.
  void check_files(bool overwrite) const;

 private:
  std::string prefix_;
};

}  // namespace beff
