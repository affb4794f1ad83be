#pragma once

#include <cstdint>

#include "core/b_eff/machine.hpp"
#include "core/b_eff/sample.hpp"
#include "engines/b_eff/pattern_run.hpp"
#include "engines/common/watchdog.hpp"

namespace beff::b_eff {

/// Runs single loops: barrier, warm-up, timed loop, agreement, check of both.
class LoopRunner {
 public:
  /// All arguments are kept up to date; check.enabled says whether data is checked.
  LoopRunner(DataCheck& data_check, Accounting& accounting, Watchdog& watchdog);
  LoopRunner(const LoopRunner&) = delete;
  LoopRunner(LoopRunner&&) = delete;
  LoopRunner& operator=(const LoopRunner&) = delete;
  LoopRunner& operator=(LoopRunner&&) = delete;
  ~LoopRunner();

  /// Times `loop`, which is `stage` of the run, with messages of `size` bytes. `stop` is this
  /// process's wish to end. Collective over MPI_COMM_WORLD; the same report on all processes.
  LoopReport time_loop(PatternRun& run, const Loop& loop, const Stage& stage, Bytes size,
                       Stop stop);

 private:
  void prepare(PatternRun& run, Bytes size);
  void check(const PatternRun& run, std::int64_t iterations);

  DataCheck* data_check_;
  Accounting* accounting_;
  Watchdog* watchdog_;
  std::uint64_t number_ = 0;
  int rank_ = 0;
  MPI_Op combine_ = MPI_OP_NULL;
  MPI_Datatype report_type_ = MPI_DATATYPE_NULL;
};

}  // namespace beff::b_eff
