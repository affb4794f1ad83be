#include "engines/common/output_files.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "engines/common/fail.hpp"

namespace beff {
namespace fs = std::filesystem;

void OutputFiles::check(bool overwrite) const {
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
  if (overwrite) {
    return;
  }
  for (const auto& path : {result(), protocol(), journal()}) {
    if (fs::exists(path, error)) {
      throw UsageError(fmt::format(
          "--output {}: {} holds an earlier run; choose another prefix or give --overwrite",
          prefix_, path.string()));
    }
  }
}

void write_atomically(const fs::path& path, std::string_view text) {
  const fs::path temporary = path.string() + ".tmp";
  {
    std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
    file.flush();
    if (!file) {
      std::error_code ignored;
      fs::remove(temporary, ignored);
      throw RunError(
          fmt::format("{} could not be written: {}", path.string(), std::strerror(errno)));
    }
  }
  std::error_code error;
  fs::rename(temporary, path, error);
  if (error) {
    throw RunError(fmt::format("{} could not be put in place: {}", path.string(), error.message()));
  }
}

}  // namespace beff
