#pragma once

#include "engines/b_eff_io/options.hpp"
#include "engines/common/program_main.hpp"

namespace beff::b_eff_io {

/// Measures and reports; returns the exit code, the same on all ranks. Throws UsageError and
/// RunError on all ranks alike. Ends the job by itself where a file cannot be closed any more.
int carry_out(const MpiSession& session, const Options& asked, const RunContext& context);

/// Prints the plan of these options in this place, with the free space where they name a folder.
/// Throws UsageError.
void print_plan(const Options& options, const RunContext& context, const PlanPlace& place);

}  // namespace beff::b_eff_io
