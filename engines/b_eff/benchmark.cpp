#include "engines/b_eff/benchmark.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <array>
#include <optional>
#include <string>

#include "engines/b_eff/mpi_machine.hpp"
#include "engines/common/agree.hpp"
#include "engines/common/communicator.hpp"
#include "engines/common/stop_signal.hpp"

namespace beff::b_eff {
namespace {

/// Adds up the counts of all processes and takes over the first error of the lowest rank with one.
void agree_on_check(DataCheck& check) {
  std::array<long long, 2> counts{check.messages_checked, check.wrong_messages};
  MPI_Allreduce(MPI_IN_PLACE, counts.data(), 2, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
  check.messages_checked = counts[0];
  check.wrong_messages = counts[1];
  if (check.wrong_messages == 0) {
    return;
  }
  const auto mine =
      check.first_error
          ? std::optional(fmt::format("rank {}, {}", world_rank(), *check.first_error))
          : std::nullopt;
  check.first_error = first_text(MPI_COMM_WORLD, mine);
}

}  // namespace

Measurement run_benchmark(const Plan& plan, const Nodes& nodes, const BenchmarkLimits& limits,
                          const Hooks& hooks) {
  Measurement measurement;
  measurement.data_check.enabled = limits.check_data;
  MpiMachine machine(plan, nodes, limits.time_limit, measurement.data_check,
                     measurement.accounting);
  const Stop stop = measure(plan, world_rank(), machine, measurement, hooks);
  measurement.accounting.elapsed =
      machine.elapsed() - measurement.pairs.took - measurement.roofs.took;
  if (!measurement.complete) {
    measurement.stopped_by = why_stopped(stop == Stop::kSignal, limits.time_limit);
  }
  agree_on_check(measurement.data_check);
  return measurement;
}

}  // namespace beff::b_eff
