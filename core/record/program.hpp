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

}  // namespace beff
