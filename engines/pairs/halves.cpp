#include "engines/pairs/halves.hpp"

#include <fmt/format.h>

#include <set>
#include <sstream>
#include <utility>

#include "engines/common/run/files.hpp"
#include "engines/common/watch/fail.hpp"

namespace beff::pairs {
namespace {

std::string trimmed(const std::string& line) {
  constexpr const char* kBlanks = " \t\r";
  const auto text = line.substr(0, line.find('#'));
  const auto begin = text.find_first_not_of(kBlanks);
  return begin == std::string::npos
             ? ""
             : text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

std::string halves_in(const std::string& file) {
  try {
    return read_text(file);
  } catch (const FileError& problem) {
    throw UsageError(
        fmt::format("--halves {}: the file cannot be read: {}; name a file with a host or rank in "
                    "each line",
                    file, problem.what()));
  }
}

}  // namespace

std::vector<std::string> names_in(const std::string& file) {
  std::istringstream stream(halves_in(file));
  std::vector<std::string> names;
  for (std::string line; std::getline(stream, line);) {
    if (auto name = trimmed(line); !name.empty()) {
      names.push_back(std::move(name));
    }
  }
  if (names.empty()) {
    throw UsageError(fmt::format("--halves {}: the file names nobody; write one a line", file));
  }
  return names;
}

std::vector<int> units_in(const std::string& file, const std::vector<std::string>& names) {
  std::set<int> units;
  for (const auto& name : names_in(file)) {
    bool known = false;
    for (std::size_t unit = 0; unit < names.size(); ++unit) {
      if (names[unit] == name) {
        units.insert(static_cast<int>(unit));
        known = true;
      }
    }
    if (!known) {
      throw UsageError(fmt::format(
          "--halves {}: {} takes no part in this run; name hosts as the result does, such as {}",
          file, name, names.front()));
    }
  }
  return {units.begin(), units.end()};
}

}  // namespace beff::pairs
