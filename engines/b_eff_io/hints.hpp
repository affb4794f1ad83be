#pragma once

#include <mpi.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/b_eff_io/types.hpp"

namespace beff::b_eff_io {

using HintMap = std::map<std::string, std::string>;

/// Hints for MPI-I/O as an info file gives them. Each line is one of
///
///   all KEY VALUE
///   type N KEY VALUE
///   pattern N KEY VALUE
///
/// where VALUE goes to the end of the line; empty lines and lines that begin with # mean nothing.
class Hints {
 public:
  Hints() = default;
  /// Throws std::invalid_argument that completes the sentence "--info FILE: ...".
  static Hints from_file(const std::filesystem::path& file);

  /// For opening the file of a type: those for all, and over them those of the type.
  [[nodiscard]] HintMap of_type(Type type) const;
  /// Those of a single pattern alone.
  [[nodiscard]] HintMap of_pattern(int number) const;

 private:
  struct Line {
    std::optional<int> type;
    std::optional<int> pattern;
    std::string key;
    std::string value;
  };
  std::vector<Line> lines_;
};

/// An MPI_Info with these hints, or MPI_INFO_NULL for none.
class Info {
 public:
  explicit Info(const HintMap& hints);
  Info(const Info&) = delete;
  Info(Info&&) = delete;
  Info& operator=(const Info&) = delete;
  Info& operator=(Info&&) = delete;
  ~Info();
  [[nodiscard]] MPI_Info get() const { return handle_; }

 private:
  MPI_Info handle_ = MPI_INFO_NULL;
};

/// The hints that are in force on an open file.
[[nodiscard]] HintMap hints_in_force(MPI_File file);

}  // namespace beff::b_eff_io
