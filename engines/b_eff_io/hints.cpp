#include "engines/b_eff_io/hints.hpp"

#include <fmt/format.h>

#include <array>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "core/b_eff_io/pattern_table.hpp"

namespace beff::b_eff_io {
namespace {

int number_below(std::istringstream& words, std::size_t count) {
  int number = -1;
  if (!(words >> number) || number < 0 || std::cmp_greater_equal(number, count)) {
    throw std::invalid_argument(fmt::format("needs a number from 0 to {}", count - 1));
  }
  return number;
}

}  // namespace

Hints Hints::from_file(const std::filesystem::path& file) {
  std::ifstream text(file);
  if (!text) {
    throw std::invalid_argument("cannot be read; name a file with lines such as 'all KEY VALUE'");
  }
  Hints hints;
  int number = 0;
  for (std::string content; std::getline(text, content);) {
    ++number;
    std::istringstream words(content);
    std::string scope;
    if (!(words >> scope) || scope.front() == '#') {
      continue;
    }
    Line line;
    try {
      if (scope == "type") {
        line.type = number_below(words, kTypes.size());
      } else if (scope == "pattern") {
        line.pattern = number_below(words, kPatternRows.size());
      } else if (scope != "all") {
        throw std::invalid_argument(
            fmt::format("begins with '{}', but must begin with all, type or pattern", scope));
      }
    } catch (const std::invalid_argument& problem) {
      throw std::invalid_argument(fmt::format("line {} {}", number, problem.what()));
    }
    words >> line.key >> std::ws;
    std::getline(words, line.value);
    if (line.key.empty() || line.value.empty() ||
        std::cmp_greater(line.key.size(), MPI_MAX_INFO_KEY)) {
      throw std::invalid_argument(fmt::format("line {} needs a key and a value", number));
    }
    hints.lines_.push_back(line);
  }
  return hints;
}

HintMap Hints::of_type(Type type) const {
  HintMap found;
  for (const auto& line : lines_) {
    if (!line.type && !line.pattern) {
      found[line.key] = line.value;
    }
  }
  for (const auto& line : lines_) {
    if (line.type && std::cmp_equal(*line.type, index_of(type))) {
      found[line.key] = line.value;
    }
  }
  return found;
}

HintMap Hints::of_pattern(int number) const {
  HintMap found;
  for (const auto& line : lines_) {
    if (line.pattern == number) {
      found[line.key] = line.value;
    }
  }
  return found;
}

Info::Info(const HintMap& hints) {
  if (hints.empty()) {
    return;
  }
  MPI_Info_create(&handle_);
  for (const auto& [key, value] : hints) {
    MPI_Info_set(handle_, key.c_str(), value.c_str());
  }
}

Info::~Info() {
  if (handle_ != MPI_INFO_NULL) {
    MPI_Info_free(&handle_);
  }
}

HintMap hints_in_force(MPI_File file) {
  HintMap found;
  MPI_Info info = MPI_INFO_NULL;
  if (MPI_File_get_info(file, &info) != MPI_SUCCESS || info == MPI_INFO_NULL) {
    return found;
  }
  int count = 0;
  MPI_Info_get_nkeys(info, &count);
  for (int i = 0; i < count; ++i) {
    std::array<char, MPI_MAX_INFO_KEY + 1> key{};
    std::array<char, MPI_MAX_INFO_VAL + 1> value{};
    int known = 0;
    MPI_Info_get_nthkey(info, i, key.data());
    MPI_Info_get(info, key.data(), MPI_MAX_INFO_VAL, value.data(), &known);
    if (known != 0) {
      found.emplace(key.data(), value.data());
    }
  }
  MPI_Info_free(&info);
  return found;
}

}  // namespace beff::b_eff_io
