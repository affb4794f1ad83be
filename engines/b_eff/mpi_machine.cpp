#include "engines/b_eff/mpi_machine.hpp"

#include <mpi.h>

#include "engines/b_eff/roof_look.hpp"
#include "engines/common/agree.hpp"
#include "engines/common/clock.hpp"
#include "engines/common/communicator.hpp"
#include "engines/common/simulation.hpp"
#include "engines/common/stop_signal.hpp"

namespace beff::b_eff {

MpiMachine::MpiMachine(const Plan& plan, const Nodes& nodes, std::optional<Seconds> time_limit,
                       DataCheck& check, Accounting& accounting)
    : plan_(&plan),
      nodes_(&nodes),
      time_limit_(time_limit),
      buffers_(plan.lmax(), world_rank(), check.enabled || !kSimulated),
      runner_(check, accounting),
      pairs_(plan.pairs, nodes, buffers_) {
  MPI_Barrier(MPI_COMM_WORLD);
  begin_ = run_time();
}

Seconds MpiMachine::elapsed() const { return run_time() - begin_; }

Stop MpiMachine::wish_to_stop() const {
  if (stop_was_requested()) {
    return Stop::kSignal;
  }
  const bool late = time_limit_ && elapsed() > *time_limit_;
  return late && world_rank() == 0 ? Stop::kTimeLimit : Stop::kNo;
}

Roofs MpiMachine::roofs() { return look_at_roofs(*nodes_, buffers_, plan_->lmax()); }

void MpiMachine::ready(const Sweep& sweep) {
  if (!run_ || pattern_ != sweep.pattern) {
    run_.emplace(plan_->patterns.at(sweep.pattern), topologies_, buffers_);
    pattern_ = sweep.pattern;
  }
  run_->use(plan_->methods.at(sweep.method));
}

LoopReport MpiMachine::time_loop(const Loop& loop) {
  const Bytes size = plan_->sizes.at(static_cast<std::size_t>(loop.size));
  return runner_.time_loop(run_.value(), loop, size, wish_to_stop());
}

Meeting MpiMachine::meet(const std::vector<UnitPair>& pairs) {
  auto meeting = pairs_.meet(pairs);
  auto stop = static_cast<int>(wish_to_stop());
  MPI_Allreduce(MPI_IN_PLACE, &stop, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  meeting.stop = static_cast<Stop>(stop);
  return meeting;
}

std::vector<UnitPair> MpiMachine::from_rank_0(std::vector<UnitPair> pairs) {
  static_assert(sizeof(UnitPair) == 2 * sizeof(int));
  const int count = beff::from_rank_0(static_cast<int>(pairs.size()));
  pairs.resize(static_cast<std::size_t>(count));
  MPI_Bcast(pairs.data(), 2 * count, MPI_INT, 0, MPI_COMM_WORLD);
  return pairs;
}

}  // namespace beff::b_eff
