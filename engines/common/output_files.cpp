#include "engines/common/output_files.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "engines/common/fail.hpp"

namespace beff {
namespace fs = std::filesystem;

void OutputFiles::check_folder() const {
  const fs::path folder = fs::path(prefix_ + ".json").parent_path();
  const fs::path place = folder.empty() ? fs::path(".") : folder;
  std::error_code error;
  if (!fs::is_directory(place, error)) {
    throw UsageError(fmt::format("--output {}: the folder {} does not exist; create it first",
                                 prefix_, place.string()));
  }
  if (access(place.c_str(), W_OK | X_OK) != 0) {
    throw UsageError(
        fmt::format("--output {}: the folder {} cannot be written ({}); choose another", prefix_,
                    place.string(), std::strerror(errno)));
  }
}

void OutputFiles::check_files(bool overwrite) const {
  for (const auto& path : {result(), protocol(), journal()}) {
    std::error_code error;
    const auto state = fs::status(path, error);
    if (!fs::exists(state)) {
      continue;
    }
    if (!fs::is_regular_file(state)) {
      throw UsageError(
          fmt::format("--output {}: {} is there, but no regular file; choose another prefix",
                      prefix_, path.string()));
    }
    if (!overwrite) {
      throw UsageError(fmt::format(
          "--output {}: {} holds an earlier run; choose another prefix or give --overwrite",
          prefix_, path.string()));
    }
  }
}

}  // namespace beff
