#pragma once

#include <string>
#include <vector>

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

/// Measures and reports; returns the exit code, the same on all ranks. Throws UsageError and
/// RunError on all ranks alike.
int carry_out(const MpiSession& session, Watchdog& watchdog, Options& options,
              const RunContext& context);

/// Prints the plan of these options with these resources. Throws UsageError.
void print_plan(const Options& options, const RunContext& context, const Resources& resources);

}  // namespace beff::pairs
