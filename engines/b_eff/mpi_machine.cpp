#include "engines/b_eff/mpi_machine.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include "engines/b_eff/roof_look.hpp"
#include "engines/common/agree.hpp"
#include "engines/common/clock.hpp"
#include "engines/common/communicator.hpp"
#include "engines/common/simulation.hpp"
#include "engines/common/stop_signal.hpp"

namespace beff::b_eff {

std::string where_is(const Stage& step) {
  const auto& [pattern, method, size, unused] = step.details;
  return size > 0 ? fmt::format("{} (pattern {}, method {}, messages of {})", step.name, pattern,
                                method, format_size(size))
                  : std::string(step.name);
}

MpiMachine::MpiMachine(const Plan& plan, const Nodes& nodes, std::optional<Seconds> time_limit,
                       DataCheck& check, Accounting& accounting, Watchdog& watchdog)
    : plan_(&plan),
      nodes_(&nodes),
      watchdog_(&watchdog),
      time_limit_(time_limit),
      buffers_(plan.lmax(), world_rank(), check.enabled || !kSimulated),
      runner_(check, accounting, watchdog),
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

Stage MpiMachine::step_of(std::string_view name, const Sweep& sweep, int size) const {
  return {.name = name,
          .processes = plan_->processes,
          .details = {plan_->patterns.at(sweep.pattern).id, static_cast<int>(sweep.method),
                      static_cast<int>(plan_->sizes.at(static_cast<std::size_t>(size)))}};
}

Roofs MpiMachine::roofs() {
  const WatchedStage step(*watchdog_, {.name = "copying memory", .processes = plan_->processes});
  return look_at_roofs(*nodes_, buffers_, plan_->lmax());
}

void MpiMachine::ready(const Sweep& sweep) {
  const WatchedStage step(*watchdog_, step_of("getting ready", sweep, plan_->size_indices.front()));
  if (!run_ || pattern_ != sweep.pattern) {
    run_.emplace(plan_->patterns.at(sweep.pattern), topologies_, buffers_);
    pattern_ = sweep.pattern;
  }
  run_->use(plan_->methods.at(sweep.method));
}

LoopReport MpiMachine::time_loop(const Loop& loop) {
  const Bytes size = plan_->sizes.at(static_cast<std::size_t>(loop.size));
  return runner_.time_loop(run_.value(), loop, step_of("a loop", loop, loop.size), size,
                           wish_to_stop());
}

Meeting MpiMachine::meet(const std::vector<UnitPair>& pairs) {
  const WatchedStage step(*watchdog_, {.name = "a round of pairs", .processes = plan_->processes});
  auto meeting = pairs_.meet(pairs);
  watchdog_->arrived();
  auto stop = static_cast<int>(wish_to_stop());
  MPI_Allreduce(MPI_IN_PLACE, &stop, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  meeting.stop = static_cast<Stop>(stop);
  return meeting;
}

std::vector<UnitPair> MpiMachine::from_rank_0(std::vector<UnitPair> pairs) {
  static_assert(sizeof(UnitPair) == 2 * sizeof(int));
  const WatchedStage step(*watchdog_, {.name = "planning pairs", .processes = plan_->processes});
  const int count = beff::from_rank_0(static_cast<int>(pairs.size()));
  pairs.resize(static_cast<std::size_t>(count));
  MPI_Bcast(pairs.data(), 2 * count, MPI_INT, 0, MPI_COMM_WORLD);
  return pairs;
}

}  // namespace beff::b_eff
