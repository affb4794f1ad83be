#pragma once

namespace beff {

/// Version of the project, e.g. "0.1.0"; stands in CMakeLists.txt only.
extern const char* const kProgramVersion;
/// Commit the programs were built from, with "-dirty" for local changes; "unknown" without git.
extern const char* const kGitCommit;

}  // namespace beff
