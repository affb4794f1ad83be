#include "engines/common/system_files.hpp"

#include <algorithm>
#include <fstream>
#include <system_error>

namespace beff {
namespace fs = std::filesystem;

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

std::string line_in(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::optional<long long> count_in(const fs::path& path) {
  std::ifstream file(path);
  long long number = 0;
  return file >> number ? std::optional(number) : std::nullopt;
}

}  // namespace beff
