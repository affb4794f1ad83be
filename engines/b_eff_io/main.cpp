// b_eff_io: effective bandwidth of parallel file I/O. Only wires options, MPI and the tasks of
// run.hpp.

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <thread>

#include "core/record/version.hpp"
#include "engines/b_eff_io/options.hpp"
#include "engines/b_eff_io/plan_task.hpp"
#include "engines/b_eff_io/run.hpp"
#include "engines/common/fail.hpp"

namespace {

using beff::b_eff_io::Options;
using beff::b_eff_io::RunContext;
using beff::b_eff_io::Task;

void complain(int rank, const std::exception& problem) {
  if (rank == 0) {
    fmt::print(stderr, "b_eff_io: {}\n", problem.what());
  }
}

/// Where MPI is not initialised, launchers end the job as soon as one process fails: the silent
/// ones wait for the one that speaks.
int fail_before_mpi(int rank, const std::exception& problem, int code) {
  constexpr std::chrono::milliseconds kTimeToSpeak{300};
  complain(rank, problem);
  if (rank != 0) {
    std::this_thread::sleep_for(kTimeToSpeak);
  }
  return code;
}

int with_mpi(int argc, char** argv, const Options& options, const RunContext& context) {
  const beff::MpiSession session(&argc, &argv);
  try {
    return options.task == Task::kPlan ? beff::b_eff_io::plan_for_job(session, options)
                                       : beff::b_eff_io::measure(session, options, context);
  } catch (const beff::UsageError& problem) {
    complain(session.rank(), problem);
    return beff::kExitUsage;
  } catch (const beff::RunError& problem) {
    complain(session.rank(), problem);
    return beff::kExitFailed;
  } catch (const std::exception& problem) {
    beff::abort_job(problem.what());
  }
}

int run(int argc, char** argv, const RunContext& context) {
  const Options options = beff::b_eff_io::parse_options(argc, argv);
  const bool speaks = context.hints.rank == 0;
  if (options.task == Task::kHelp || options.task == Task::kVersion) {
    if (speaks) {
      fmt::print("{}\n", options.task == Task::kHelp
                             ? options.help
                             : fmt::format("b_eff_io {} ({})", context.program.version,
                                           context.program.git_commit));
    }
    return beff::kExitValid;
  }
  if (options.task == Task::kPlan && options.processes) {
    return speaks ? beff::b_eff_io::plan_for_processes(*options.processes, options)
                  : beff::kExitValid;
  }
  if (const auto problem = beff::foreign_launcher()) {
    throw beff::UsageError(*problem);
  }
  return with_mpi(argc, argv, options, context);
}

}  // namespace

int main(int argc, char** argv) {
  const RunContext context{
      .program = {.name = "b_eff_io", .version = beff::kVersion, .git_commit = beff::kGitCommit},
      .hints = beff::launch_hints(),
      .command_line = {argv, argv + argc}};
  try {
    return run(argc, argv, context);
  } catch (const beff::UsageError& problem) {
    return fail_before_mpi(context.hints.rank, problem, beff::kExitUsage);
  } catch (const std::exception& problem) {
    return fail_before_mpi(context.hints.rank, problem, beff::kExitFailed);
  }
}
