#pragma once

#include <string>
#include <vector>

#include "core/record/program.hpp"
#include "engines/b_eff_io/options.hpp"
#include "engines/common/launch.hpp"
#include "engines/common/mpi_session.hpp"

namespace beff::b_eff_io {

/// What a run is told from outside.
struct RunContext {
  Program program;
  LaunchHints hints;
  std::vector<std::string> command_line;
};

/// Measures and reports; returns the exit code, the same on all ranks. Throws UsageError and
/// RunError on all ranks alike. Ends the job by itself where a file cannot be closed any more.
int measure(const MpiSession& session, Options options, const RunContext& context);

}  // namespace beff::b_eff_io
