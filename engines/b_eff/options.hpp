#pragma once

#include <optional>

#include "core/b_eff/plan.hpp"
#include "engines/common/run/program.hpp"

namespace beff::b_eff {

struct Options : CommonOptions {
  PlanRequest request;  ///< without what planned() adds
  std::optional<double> rmax_gflops;
  bool check_data = true;
};

/// Reads the command line. Throws UsageError with one sentence.
Options parse_options(int argc, char** argv);

/// The plan of these options with these resources. Throws UsageError, also where the processes run
/// on other than
/// --nodes.
[[nodiscard]] Plan planned(const Options& options, const Resources& resources);

/// Measures and reports, or prints as JSON on rank 0 the environment and what would make a run here
/// not valid; returns the exit code, the same on all ranks. Throws UsageError and RunError on all
/// ranks alike.
int carry_out(const MpiSession& session, Watchdog& watchdog, Options& options,
              const RunContext& context);

/// Prints the plan of these options with these resources. Throws UsageError.
void print_plan(const Options& options, const RunContext& context, const Resources& resources);

}  // namespace beff::b_eff
