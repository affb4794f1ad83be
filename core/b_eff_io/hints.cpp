#include "core/b_eff_io/hints.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <ranges>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace beff::b_eff_io {
namespace {

constexpr std::size_t kWords = 6;

template <class Value>
using Words = std::vector<std::pair<std::string_view, Value>>;

/// The value that belongs to a word of a column.
template <class Value>
Value meaning(const std::string& word, std::string_view column, const Words<Value>& allowed) {
  const auto entry = std::ranges::find(allowed, word, &Words<Value>::value_type::first);
  if (entry == allowed.end()) {
    throw std::invalid_argument(fmt::format("'{}' is no {}; allowed are {}", word, column,
                                            fmt::join(std::views::keys(allowed), ", ")));
  }
  return entry->second;
}

std::optional<int> read_processes(const std::string& word) {
  if (word == "all") {
    return std::nullopt;
  }
  int number = 0;
  const char* const end = word.data() + word.size();
  const auto [stop, problem] = std::from_chars(word.data(), end, number);
  if (problem != std::errc{} || stop != end || number < 1) {
    throw std::invalid_argument(fmt::format(
        "'{}' is not a number of processes; allowed are all and whole numbers from 1", word));
  }
  return number;
}

std::optional<Access> read_access(const std::string& word) {
  return meaning<std::optional<Access>>(word, "access method",
                                        {{"all", std::nullopt},
                                         {"write", Access::kWrite},
                                         {"rewrite", Access::kRewrite},
                                         {"read", Access::kRead}});
}

std::optional<Type> read_type(const std::string& word) {
  return meaning<std::optional<Type>>(word, "pattern type",
                                      {{"all", std::nullopt},
                                       {"scatter", Type::kScatter},
                                       {"shared", Type::kShared},
                                       {"separated", Type::kSeparate},
                                       {"segmented", Type::kSegmented},
                                       {"seg_coll", Type::kSegColl}});
}

void check_length(std::string_view what, const std::string& text, std::size_t longest) {
  constexpr std::size_t kShown = 40;
  if (text.size() > longest) {
    throw std::invalid_argument(fmt::format(
        "the {} {}{} has {} characters; this MPI library takes {} at most", what,
        text.substr(0, kShown), text.size() > kShown ? "..." : "", text.size(), longest));
  }
}

/// The first five words of a line, and what is left of it.
std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> words;
  std::istringstream text(
      line.starts_with('#') ? "" : line.substr(0, line.find_last_not_of(" \t\r") + 1));
  for (std::string word; words.size() + 1 < kWords && text >> word;) {
    words.push_back(word);
  }
  if (std::string rest; std::getline(text >> std::ws, rest)) {
    words.push_back(rest);
  }
  return words;
}

}  // namespace

Hints::When Hints::read_when(const std::string& word) {
  const auto before = [](Chunk chunk, int extra) {
    return When{.at_open = false, .at_pattern = true, .chunk = chunk, .extra = extra};
  };
  return meaning<When>(
      word, "place",
      {{"all", {.at_open = true, .at_pattern = true, .chunk = std::nullopt, .extra = 0}},
       {"on_open", {.at_open = true, .at_pattern = false, .chunk = std::nullopt, .extra = 0}},
       {"Lmax", before(Chunk::kMPart, 0)},
       {"1024", before(Chunk::k1kB, 0)},
       {"1032", before(Chunk::k1kB, 8)},
       {"32768", before(Chunk::k32kB, 0)},
       {"32776", before(Chunk::k32kB, 8)},
       {"1048576", before(Chunk::k1MB, 0)},
       {"1048584", before(Chunk::k1MB, 8)}});
}

Hints::Line Hints::read_line(int number, const std::vector<std::string>& words,
                             const HintLimits& limits) {
  if (words.size() < kWords) {
    throw std::invalid_argument(
        fmt::format("ends after {} of six words: processes, access method, pattern type, on_open "
                    "or chunk size, key, value",
                    words.size()));
  }
  const Line line{.number = number,
                  .processes = read_processes(words[0]),
                  .access = read_access(words[1]),
                  .type = read_type(words[2]),
                  .when = read_when(words[3]),
                  .key = words[4],
                  .value = words[5]};
  check_length("key", line.key, limits.key);
  check_length("value", line.value, limits.value);
  return line;
}

Hints Hints::parse(const std::string& text, const HintLimits& limits) {
  Hints hints;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const auto words = split(line);
    if (words.empty()) {
      continue;
    }
    try {
      hints.lines_.push_back(read_line(number, words, limits));
    } catch (const std::invalid_argument& problem) {
      throw std::invalid_argument(fmt::format("line {}: {}", number, problem.what()));
    }
  }
  return hints;
}

HintMap Hints::all() const {
  HintMap hints;
  for (const auto& line : lines_) {
    auto& value = hints[line.key];
    value = line.value.size() > value.size() ? line.value : value;
  }
  return hints;
}

void Hints::check_partitions(const std::vector<int>& partitions) const {
  for (const auto& line : lines_) {
    if (line.processes && std::ranges::find(partitions, *line.processes) == partitions.end()) {
      throw std::invalid_argument(
          fmt::format("line {}: {} is not a partition of this run; they have {} processes",
                      line.number, *line.processes, fmt::join(partitions, ", ")));
    }
  }
}

bool Hints::Line::matches(int n, Access method, Type kind) const {
  return processes.value_or(n) == n && access.value_or(method) == method &&
         type.value_or(kind) == kind;
}

HintMap Hints::on_open(int processes, Access access, Type type) const {
  HintMap hints;
  for (const auto& line : lines_) {
    if (line.when.at_open && line.matches(processes, access, type)) {
      hints[line.key] = line.value;
    }
  }
  return hints;
}

HintMap Hints::before_pattern(int processes, Access access, int pattern) const {
  const auto& entry = kPatternRows.at(static_cast<std::size_t>(pattern));
  HintMap hints;
  for (const auto& line : lines_) {
    const auto& when = line.when;
    const bool same_chunk = !when.chunk || (when.chunk == entry.chunk && when.extra == entry.extra);
    if (when.at_pattern && same_chunk && line.matches(processes, access, entry.type)) {
      hints[line.key] = line.value;
    }
  }
  return hints;
}

}  // namespace beff::b_eff_io
