#pragma once

#include "engines/b_eff_io/options.hpp"
#include "engines/common/nodes.hpp"
#include "engines/common/program_main.hpp"

namespace beff::b_eff_io {

/// The plan of these options there. Throws UsageError.
Plan plan_or_usage_error(const Options& options, const Place& place);

/// Prints the plan for the processes of this job. Collective over MPI_COMM_WORLD.
int plan_for_job(const MpiSession& session, const Options& options);

/// Prints the plan for Options::processes; needs no MPI. Throws UsageError.
int plan_for_processes(const Options& options, const RunContext& context);

}  // namespace beff::b_eff_io
