#pragma once

#include <string>

#include "core/record/json.hpp"

namespace beff {

/// Version of the result file; rises when a reader of the old one would misread the new one.
inline constexpr int kSchemaVersion = 1;

/// The measuring program as recorded in its results.
struct Program {
  std::string name;
  std::string version;
  std::string git_commit;  ///< "unknown" outside a git checkout
};

[[nodiscard]] inline Json to_json(const Program& program) {
  return {{"name", program.name}, {"version", program.version}, {"git_commit", program.git_commit}};
}

}  // namespace beff
