#pragma once

#include <filesystem>

#include "core/record/json_fwd.hpp"
#include "engines/common/owned.hpp"

namespace beff {

/// Append-only record of a run, one JSON object per line, handed to the operating system line by
/// line: a killed run loses at most the loop it was in.
class Journal {
 public:
  /// Starts a new file. Throws RunError.
  explicit Journal(const std::filesystem::path& path);
  /// Appends one line in one write. Throws RunError, for instance on a full disk.
  void append(const Json& record) const;
  /// Gives the file the present time, so that who watches it sees that the run goes on.
  void touch() const;

 private:
  std::filesystem::path path_;
  OpenFile file_;
};

}  // namespace beff
