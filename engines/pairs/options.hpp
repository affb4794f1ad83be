#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/pairs/matrix.hpp"
#include "core/pairs/plan.hpp"
#include "engines/common/run/program.hpp"

namespace beff::pairs {

struct Options : CommonOptions {
  PlanRequest request;  ///< without what planned() adds
  std::string halves;   ///< file; empty: none
  MatrixMethod method = MatrixMethod::kNonblocking;
};

/// Reads the command line. Throws UsageError with one sentence.
Options parse_options(int argc, char** argv);

/// The plan of these options with these resources, of which a host has at least `fewest_per_host`
/// processes; `first_half` is what the file of halves names. Throws UsageError.
[[nodiscard]] Plan planned(const Options& options, const Resources& resources, int fewest_per_host,
                           const std::vector<int>& first_half);

/// Takes the totals of the matrix into the plan. Throws UsageError.
void add_matrix(Plan& plan, const MatrixTotals& totals);

/// The part of a matrix that a process needs, and what rank 0 keeps for the result.
struct SharedMatrix {
  MatrixShare share;
  std::optional<std::vector<MatrixRow>> kept;
};

/// The matrix of the plan. Presets are made by each process; a file is read by rank 0, which holds
/// all of its rows and sends each process those that begin or end there. Throws UsageError on all
/// ranks alike. Collective over MPI_COMM_WORLD.
[[nodiscard]] SharedMatrix shared_matrix(const Plan& plan);

/// Collective over MPI_COMM_WORLD.
[[nodiscard]] MatrixTotals of_all_shares(const MatrixShare& share);

/// The same without MPI. Throws UsageError.
[[nodiscard]] MatrixTotals totals_of_all(const Plan& plan);

/// The units that a file names, one a line, of those with these names; blank lines and what follows
/// `#` do not count. Throws UsageError where it cannot be read, or names none, or another.
[[nodiscard]] std::vector<int> units_in(const std::string& file,
                                        const std::vector<std::string>& names);

/// The lines of such a file. Throws UsageError.
[[nodiscard]] std::vector<std::string> names_in(const std::string& file);

}  // namespace beff::pairs
