// b_eff: effective communication bandwidth. Only wires options, MPI and the tasks of run.hpp.

#include <fmt/format.h>

#include <cstdio>

#include "core/record/version.hpp"
#include "engines/b_eff/options.hpp"
#include "engines/b_eff/run.hpp"
#include "engines/common/fail.hpp"

namespace {

using beff::b_eff::Options;
using beff::b_eff::RunContext;
using beff::b_eff::Task;

void complain(int rank, const std::exception& problem) {
  if (rank == 0) {
    fmt::print(stderr, "b_eff: {}\n", problem.what());
  }
}

int with_mpi(int argc, char** argv, const Options& options, const RunContext& context) {
  const beff::MpiSession session(&argc, &argv);
  try {
    switch (options.task) {
      case Task::kProbe:
        return beff::b_eff::probe(session, options, context);
      case Task::kPlan:
        return beff::b_eff::plan_for_job(session, options, context);
      default:
        return beff::b_eff::measure(session, options, context);
    }
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
  const Options options = beff::b_eff::parse_options(argc, argv);
  const bool speaks = context.hints.rank == 0;
  if (options.task == Task::kHelp || options.task == Task::kVersion) {
    if (speaks) {
      fmt::print("{}\n", options.task == Task::kHelp
                             ? options.help
                             : fmt::format("b_eff {} ({})", context.program.version,
                                           context.program.git_commit));
    }
    return beff::kExitValid;
  }
  if (options.task == Task::kPlan && options.processes) {
    return speaks ? beff::b_eff::plan_for_processes(*options.processes, options, context)
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
      .program = {.name = "b_eff", .version = beff::kVersion, .git_commit = beff::kGitCommit},
      .hints = beff::launch_hints(),
      .command_line = {argv, argv + argc}};
  try {
    return run(argc, argv, context);
  } catch (const beff::UsageError& problem) {
    complain(context.hints.rank, problem);
    return beff::kExitUsage;
  } catch (const std::exception& problem) {
    complain(context.hints.rank, problem);
    return beff::kExitFailed;
  }
}
