#include "engines/b_eff/mpi_machine.hpp"

#include <mpi.h>

#include "engines/common/communicator.hpp"
#include "engines/common/simulation.hpp"
#include "engines/common/stop_signal.hpp"

namespace beff::b_eff {

MpiMachine::MpiMachine(const Plan& plan, std::optional<Seconds> time_limit, DataCheck& check,
                       Accounting& accounting)
    : plan_(&plan),
      time_limit_(time_limit),
      buffers_(plan.lmax(), world_rank(), check.enabled || !kSimulated),
      runner_(check, accounting),
      own_times_(plan.patterns.size()) {
  MPI_Barrier(MPI_COMM_WORLD);
  begin_ = MPI_Wtime();
}

Seconds MpiMachine::elapsed() const { return MPI_Wtime() - begin_; }

Stop MpiMachine::wish_to_stop() const {
  if (stop_was_requested()) {
    return Stop::kSignal;
  }
  const bool late = time_limit_ && elapsed() > *time_limit_;
  return late && world_rank() == 0 ? Stop::kTimeLimit : Stop::kNo;
}

void MpiMachine::ready(const Sweep& sweep) {
  if (!run_ || pattern_ != sweep.pattern) {
    run_.emplace(plan_->patterns.at(sweep.pattern), topologies_, buffers_);
    pattern_ = sweep.pattern;
  }
  run_->use(plan_->methods.at(sweep.method));
}

LoopReport MpiMachine::time_loop(const Loop& loop) {
  auto& run = run_.value();
  const Bytes size = plan_->sizes.at(static_cast<std::size_t>(loop.size));
  const auto report = runner_.time_loop(run, loop, size, wish_to_stop());
  if (!loop.latency && run.takes_part() && run.in_order_of_ranks()) {
    own_times_.add(loop.pattern, loop.size, runner_.own_time() / static_cast<double>(loop.length));
  }
  return report;
}

}  // namespace beff::b_eff
