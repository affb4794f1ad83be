#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/b_eff_io/pattern_table.hpp"

namespace beff::b_eff_io {

/// Keys and values of an MPI_Info.
using HintMap = std::map<std::string, std::string>;

/// Lengths that the MPI library takes, in characters.
struct HintLimits {
  std::size_t key;
  std::size_t value;
};

/// Hints for MPI-I/O in the format of release 2.1. Six words a line say for what and which:
///
///   <processes|all> <all|access> <all|type> <all|on_open|chunk> <key> <value …>
///
/// The value goes to the end of the line. A line whose first character is # is a comment; a value
/// may hold any. Where several lines give a key, the last of those that match counts.
class Hints {
 public:
  Hints() = default;
  /// Throws std::invalid_argument with line, word and what is allowed: "line 3: 'x' is no …".
  static Hints parse(const std::string& text, const HintLimits& limits);

  /// Keys and values of all lines; of a key that stands twice, the longest value.
  [[nodiscard]] HintMap all() const;

  /// Throws std::invalid_argument where a line is for a number of processes that is no partition.
  void check_partitions(const std::vector<int>& partitions) const;

  /// For opening the file of a type in a partition of so many processes.
  [[nodiscard]] HintMap on_open(int processes, Access access, Type type) const;
  /// For a pattern, before its calls.
  [[nodiscard]] HintMap before_pattern(int processes, Access access, int pattern) const;

 private:
  /// When a line counts; a chunk size is that of the pattern table, empty for every pattern.
  struct When {
    bool at_open = false;
    bool at_pattern = false;
    std::optional<Chunk> chunk;
    int extra = 0;
  };
  /// What is empty matches all.
  struct Line {
    int number;  ///< in the file
    std::optional<int> processes;
    std::optional<Access> access;
    std::optional<Type> type;
    When when;
    std::string key;
    std::string value;

    [[nodiscard]] bool matches(int n, Access method, Type kind) const;
  };
  static When read_when(const std::string& word);
  static Line read_line(int number, const std::vector<std::string>& words,
                        const HintLimits& limits);

  std::vector<Line> lines_;
};

}  // namespace beff::b_eff_io
