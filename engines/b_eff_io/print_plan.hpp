#pragma once

#include "engines/b_eff_io/options.hpp"
#include "engines/common/program_main.hpp"

namespace beff::b_eff_io {

/// Prints the plan of these options in this place, with an estimate of what it takes on the disk
/// where the options name a folder. Throws UsageError.
void print_plan(const Options& options, const RunContext& context, const PlanPlace& place);

}  // namespace beff::b_eff_io
