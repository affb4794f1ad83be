#include "engines/b_eff_io/cost_probe.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <array>
#include <cstdio>
#include <string>

#include "core/b_eff_io/time_probe.hpp"
#include "engines/b_eff_io/benchmark.hpp"
#include "engines/b_eff_io/report.hpp"
#include "engines/b_eff_io/watchdog.hpp"
#include "engines/common/agree.hpp"
#include "engines/common/communicator.hpp"
#include "engines/common/fail.hpp"

namespace beff::b_eff_io {
namespace {

/// A folder that no measured run has: one number beside that of this run.
std::uint64_t number_of_probe(std::uint64_t run) { return run ^ 1U; }

CostRatio find_cost(const Plan& probe, const Nodes& nodes, const RunFiles& files, FileGuard& guard,
                    const ExecutorSettings& settings, Seconds longest_step) {
  const auto give_up = [&guard](const std::string& why) {
    guard.remove();
    abort_job("before the measurement, while trying what rewrite and read take: " + why);
  };
  Watchdog watchdog({.rank = world_rank(),
                     .limit = longest_step,
                     .roll = files.folders().front() / "roll",
                     .hung = give_up});
  Benchmark benchmark(probe, nodes, files, settings, watchdog, {});
  if (benchmark.run() == Ending::kAbort) {
    give_up("a file could not be synchronised");
  }
  return measured_cost(probe, benchmark.measurement().samples);
}

}  // namespace

Plan plan_by_probe(const Plan& plan, const Nodes& nodes, const ExecutorSettings& settings,
                   const Options& options) {
  if (!wants_probe(plan)) {
    return plan;
  }
  const auto probe = probe_plan(plan);
  if (world_rank() == 0 && options.shows_progress()) {
    fmt::print(stderr, "b_eff_io: trying for about {} what rewrite and read take\n",
               format_duration(probe.time));
  }
  const Seconds begin = MPI_Wtime();
  CostRatio cost;
  {
    RunFiles files(options.folders, plan.types, number_of_probe(settings.run));
    FileGuard guard(files, false);
    check_on_rank_0([&] { files.create(); });
    cost = find_cost(probe, nodes, files, guard, settings, options.longest_step());
    MPI_Barrier(MPI_COMM_WORLD);
  }
  std::array<double, 3> found{cost.rewrite, cost.read, MPI_Wtime() - begin};
  MPI_Bcast(found.data(), static_cast<int>(found.size()), MPI_DOUBLE, 0, MPI_COMM_WORLD);
  return with_probe(plan, {.rewrite = found[0], .read = found[1]}, found[2]);
}

}  // namespace beff::b_eff_io
