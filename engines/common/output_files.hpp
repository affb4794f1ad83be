#pragma once

#include <filesystem>
#include <string>
#include <utility>

namespace beff {

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
