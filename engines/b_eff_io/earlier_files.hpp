#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace beff::b_eff_io {

/// How the folder of a run begins; 16 hexadecimal digits follow.
inline constexpr std::string_view kRunFolderPrefix = "b_eff_io-";

/// A folder of a run is held by the run as long as it lasts, so that others see that it is in use.
/// Released at the end of the scope, and by the system when the process ends.
class FolderHold {
 public:
  /// Where the file system knows no locks, nothing is held.
  explicit FolderHold(const std::filesystem::path& folder);
  FolderHold(const FolderHold&) = delete;
  FolderHold(FolderHold&& other) noexcept;
  FolderHold& operator=(const FolderHold&) = delete;
  FolderHold& operator=(FolderHold&&) = delete;
  ~FolderHold();

 private:
  int folder_;
};

/// What other runs have left in a folder, one sentence for each of their folders: how much, whose,
/// how old, and whether it is in use. Empty where the folder cannot be read.
[[nodiscard]] std::vector<std::string> earlier_files(const std::filesystem::path& folder);

}  // namespace beff::b_eff_io
