#pragma once

#include <string>

#include "core/record/json_fwd.hpp"

namespace beff {

/// Version of the result file; rises when a reader of the old one would misread the new one.
inline constexpr int kSchemaVersion = 1;

/// The measuring program as recorded in its results.
struct Program {
  std::string name;
  std::string version;
  std::string git_commit;  ///< "unknown" outside a git checkout
};

[[nodiscard]] Json to_json(const Program& program);

/// Version of the project, e.g. "0.1.0"; stands in CMakeLists.txt only.
extern const char* const kProgramVersion;
/// Commit the programs were built from, with "-dirty" for local changes; "unknown" without git.
extern const char* const kGitCommit;

}  // namespace beff
