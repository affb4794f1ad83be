#pragma once

#include <string>
#include <vector>

#include "core/record/program.hpp"
#include "engines/b_eff/options.hpp"
#include "engines/common/launch.hpp"
#include "engines/common/mpi_session.hpp"

namespace beff::b_eff {

/// What a run is told from outside.
struct RunContext {
  Program program;
  LaunchHints hints;
  std::vector<std::string> command_line;
};

/// Measures and reports; returns the exit code, the same on all ranks. Throws UsageError and
/// RunError on all ranks alike.
int measure(const MpiSession& session, Options options, const RunContext& context);

/// Prints the environment and what would make a run here not valid, as JSON on rank 0.
int probe(const MpiSession& session, const Options& options, const RunContext& context);

/// Prints the plan for the processes of this job.
int plan_for_job(const MpiSession& session, const Options& options, const RunContext& context);

/// Prints the plan for any number of processes; needs no MPI. Throws UsageError.
int plan_for_processes(int processes, const Options& options, const RunContext& context);

}  // namespace beff::b_eff
