#pragma once

#include "engines/b_eff_io/options.hpp"
#include "engines/common/run_shell.hpp"

namespace beff::b_eff_io {

/// Measures and reports; returns the exit code, the same on all ranks. Throws UsageError and
/// RunError on all ranks alike. Ends the job by itself where a file cannot be closed any more.
int measure(const MpiSession& session, const Options& asked, const RunContext& context);

}  // namespace beff::b_eff_io
