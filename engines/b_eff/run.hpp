#pragma once

#include "engines/b_eff/options.hpp"
#include "engines/common/program_main.hpp"

namespace beff::b_eff {

/// Measures and reports, or prints as JSON on rank 0 the environment and what would make a run here
/// not valid; returns the exit code, the same on all ranks. Throws UsageError and RunError on all
/// ranks alike.
int carry_out(const MpiSession& session, const Options& options, const RunContext& context);

/// Prints the plan of these options in this place. Throws UsageError.
void print_plan(const Options& options, const RunContext& context, const PlanPlace& place);

}  // namespace beff::b_eff
