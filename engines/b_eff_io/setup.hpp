#pragma once

#include <cstdint>
#include <string>

#include "core/b_eff_io/plan.hpp"
#include "core/record/environment.hpp"
#include "engines/b_eff_io/agreement.hpp"
#include "engines/b_eff_io/options.hpp"
#include "engines/b_eff_io/run_files.hpp"
#include "engines/common/watch/watchdog.hpp"

namespace beff::b_eff_io {

/// Where a run takes place, and what it does there; the same on all processes but `file_system`.
struct Setup {
  Plan plan;
  FileSystem file_system;       ///< on rank 0
  std::uint64_t run;            ///< see Author
  Pointer pointer;              ///< of type 1: individual where shared ones cannot be used here
  std::string pointer_problem;  ///< why they cannot; empty if they can
  bool locks;                   ///< files can be locked there, or need not be
  Waiting waiting;
};

/// Makes the folders of a `run`, tries out the library there and plans. Collective over
/// MPI_COMM_WORLD; throws UsageError and RunError on all ranks.
[[nodiscard]] Setup set_up(const Options& options, const Environment& environment, RunFiles& files,
                           std::uint64_t run, Watchdog& watchdog);

}  // namespace beff::b_eff_io
