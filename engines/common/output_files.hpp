#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

namespace beff {

/// The files of one run, all beginning with the same prefix.
class OutputFiles {
 public:
  explicit OutputFiles(std::string prefix) : prefix_(std::move(prefix)) {}

  [[nodiscard]] std::filesystem::path result() const { return prefix_ + ".json"; }
  [[nodiscard]] std::filesystem::path protocol() const { return prefix_ + ".txt"; }
  [[nodiscard]] std::filesystem::path journal() const { return prefix_ + ".journal.jsonl"; }

  /// Throws UsageError when the folder is missing or cannot be written, or when a file of an
  /// earlier run would be lost and `overwrite` is false. Writes nothing.
  void check(bool overwrite) const;

 private:
  std::string prefix_;
};

/// Replaces the file by `text` in one step: a reader sees the old file or the whole new one.
/// Throws RunError.
void write_atomically(const std::filesystem::path& path, std::string_view text);

}  // namespace beff
