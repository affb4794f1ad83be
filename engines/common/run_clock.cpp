#include "engines/common/run_clock.hpp"

#include <mpi.h>

#include "engines/common/clock.hpp"
#include "engines/common/communicator.hpp"
#include "engines/common/stop_signal.hpp"

namespace beff {

RunClock::RunClock(std::optional<Seconds> time_limit) : time_limit_(time_limit) {
  MPI_Barrier(MPI_COMM_WORLD);
  begin_ = run_time();
}

Seconds RunClock::elapsed() const { return run_time() - begin_; }

Stop RunClock::wish_to_stop() const {
  if (stop_was_requested()) {
    return Stop::kSignal;
  }
  const bool late = time_limit_ && elapsed() > *time_limit_;
  return late && world_rank() == 0 ? Stop::kTimeLimit : Stop::kNo;
}

}  // namespace beff
