#include "engines/common/host/system_files.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <system_error>

namespace beff {
namespace fs = std::filesystem;

std::string own_host() {
  std::array<char, 65> name{};
  gethostname(name.data(), name.size() - 1);
  return name.front() == '\0' ? "?" : name.data();
}

std::vector<fs::path> sorted_entries(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code problem;
  for (fs::directory_iterator entry(folder, problem), end; !problem && entry != end;
       entry.increment(problem)) {
    entries.push_back(entry->path());
  }
  std::ranges::sort(entries);
  return entries;
}

bool is_there(const fs::path& path) {
  std::error_code problem;
  return fs::exists(path, problem);
}

std::string line_in(const fs::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

std::optional<long long> count_in(const fs::path& file) {
  std::ifstream stream(file);
  long long number = 0;
  return stream >> number ? std::optional(number) : std::nullopt;
}

}  // namespace beff
