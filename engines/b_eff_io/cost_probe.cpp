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

/// Per byte, on all processes at once: fills a buffer twice, as only the second time is free of the
/// system's work for new memory.
double time_to_fill(Bytes bytes, std::uint64_t run) {
  TransferBuffer buffer(bytes);
  const Content content(
      {.run = run, .partition = 0, .pattern = 0, .rank = world_rank(), .rewrite = false});
  buffer.fill(content, bytes);
  MPI_Barrier(MPI_COMM_WORLD);
  const Seconds begin = MPI_Wtime();
  buffer.fill(content, bytes);
  double took = MPI_Wtime() - begin;
  MPI_Allreduce(MPI_IN_PLACE, &took, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return took / static_cast<double>(bytes);
}

/// The probe's time between its patterns, and for the larger buffers of the measured run on top.
Seconds foreseen_preparing(const Plan& plan, const Plan& probe, const Measurement& probed,
                           std::uint64_t run) {
  constexpr Bytes kTried = 32 * kMiB;
  Seconds in_patterns = 0;
  for (const auto& sample : probed.samples) {
    in_patterns += sample.time;
  }
  const Bytes more = prepared_bytes(plan) - prepared_bytes(probe);
  return probed.elapsed - in_patterns +
         time_to_fill(std::min(kTried, plan.m_part), run) * static_cast<double>(more);
}

Seconds time_of_writes(const std::vector<Sample>& samples) {
  Seconds sum = 0;
  for (const auto& sample : samples) {
    sum += sample.access == Access::kWrite ? sample.time : 0;
  }
  return sum;
}

Measurement run_probe(const Plan& probe, const Nodes& nodes, const RunFiles& files,
                      FileGuard& guard, const ExecutorSettings& settings, Seconds longest_step) {
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
  return benchmark.measurement();
}

}  // namespace

Plan plan_by_probe(const Plan& plan, const Nodes& nodes, const ExecutorSettings& settings,
                   const Options& options, Seconds begin) {
  if (!wants_probe(plan)) {
    return plan;
  }
  const auto probe = probe_plan(plan);
  if (world_rank() == 0 && options.shows_progress()) {
    fmt::print(stderr, "b_eff_io: trying for about {} what rewrite and read take\n",
               format_duration(probe.time));
  }
  RunFiles files(options.folders, plan.types, number_of_probe(settings.run));
  FileGuard guard(files, false);
  check_on_rank_0([&] { files.create(); });
  const auto probed = run_probe(probe, nodes, files, guard, settings, options.longest_step());
  const auto cost = measured_cost(probe, probed.samples, probed.partitions);
  const auto preparing = foreseen_preparing(plan, probe, probed, settings.run);
  const Seconds begin_of_removal = MPI_Wtime();
  guard.remove();
  const Seconds now = MPI_Wtime();
  const Seconds writes = time_of_writes(probed.samples);
  std::array<double, 5> found{cost.rewrite, cost.read, now - begin, preparing,
                              writes > 0 ? (now - begin_of_removal) / writes : 0};
  MPI_Bcast(found.data(), static_cast<int>(found.size()), MPI_DOUBLE, 0, MPI_COMM_WORLD);
  return with_probe(plan, {.cost = {.rewrite = found[0], .read = found[1]},
                           .spent = found[2],
                           .preparing = found[3],
                           .removing = found[4]});
}

}  // namespace beff::b_eff_io
