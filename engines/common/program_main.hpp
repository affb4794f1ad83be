#pragma once

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "engines/common/agree.hpp"
#include "engines/common/fail.hpp"
#include "engines/common/run_shell.hpp"
#include "engines/common/simulation.hpp"
#include "engines/common/stop_signal.hpp"

namespace beff {

/// What makes up a measuring program. `Options` is derived from CommonOptions; functions return
/// exit codes and throw UsageError and RunError.
template <class Options>
struct ProgramParts {
  const char* name;
  Options (*parse)(int argc, char** argv);
  /// Called on the rank that speaks.
  void (*print_plan)(const Options& options, const RunContext& context, const PlanPlace& place);
  /// Every other task; called on all ranks, and throws on all alike.
  int (*carry_out)(const MpiSession& session, Watchdog& watchdog, const Options& options,
                   const RunContext& context);
};

/// The way of every measuring program from its command line to its exit code: what needs no MPI
/// first, then MPI, and each error as one sentence of rank 0.
template <class Options>
class ProgramMain {
 public:
  explicit ProgramMain(const ProgramParts<Options>& parts) : parts_(parts) {}

  int run(int argc, char** argv) const {
    const RunContext context{
        .program = {.name = parts_.name, .version = kProgramVersion, .git_commit = kGitCommit},
        .hints = launch_hints(),
        .command_line = {argv, argv + argc}};
    try {
      return before_mpi(argc, argv, context);
    } catch (const UsageError& problem) {
      return fail_apart(context.hints, problem, kExitUsage);
    } catch (const std::exception& problem) {
      return fail_apart(context.hints, problem, kExitFailed);
    }
  }

 private:
  int before_mpi(int argc, char** argv, const RunContext& context) const {
    const Options options = parts_.parse(argc, argv);
    const bool speaks = context.hints.rank.value_or(0) == 0;
    if (options.task == Task::kHelp || options.task == Task::kShowVersion) {
      if (speaks) {
        fmt::print("{}\n", options.task == Task::kHelp ? options.help : version_text(context));
      }
      return kExitValid;
    }
    if (options.task == Task::kPlan && options.processes) {
      if (speaks) {
        parts_.print_plan(options, context,
                          {.processes = *options.processes,
                           .nodes = std::nullopt,
                           .memory = memory_for_plan(options.memory, *options.processes)});
      }
      return kExitValid;
    }
    if (const auto problem = foreign_launcher()) {
      throw UsageError(*problem);
    }
    return with_mpi(argc, argv, options, context);
  }

  /// Two lines: the program, and the MPI library that it has found; SMPI cannot be asked yet.
  std::string version_text(const RunContext& context) const {
    const auto own =
        fmt::format("{} {} ({})", parts_.name, context.program.version, context.program.git_commit);
    return kSimulated ? own : fmt::format("{}\nMPI library: {}", own, mpi_library_text());
  }

  int with_mpi(int argc, char** argv, const Options& options, const RunContext& context) const {
    watch_launcher(context.hints);
    take_errors_for_signals();
    const bool measures = options.task == Task::kMeasure;
    Watchdog watchdog({.program = parts_.name,
                       .limit = options.longest_step(0),
                       .roll = measures ? roll_of(options) : std::filesystem::path()});
    watchdog.sign_in(context.hints);
    const MpiSession session(&argc, &argv);
    if (measures) {
      catch_stop_signals();
    }
    watchdog.start(session.rank(), session.size());
    const int code = in_session(session, watchdog, options, context);
    watchdog.enter("MPI_Finalize");
    watchdog.arrived();
    // Launchers end all processes as soon as one gives a code: rank 0 alone does, once it has
    // removed the roll.
    return session.rank() == 0 ? code : kExitValid;
  }

  int in_session(const MpiSession& session, Watchdog& watchdog, const Options& options,
                 const RunContext& context) const {
    try {
      if (options.task != Task::kProbe) {
        check_launch(session, context.hints);
      }
      check_same_program(watchdog, context.program, options);
      watchdog.enter("set-up: finding the nodes");
      if (options.task == Task::kPlan) {
        return plan_for_job(session, watchdog, options, context);
      }
      return parts_.carry_out(session, watchdog, options, context);
    } catch (const UsageError& problem) {
      if (session.size() == 1) {
        return fail_apart(context.hints, problem, kExitUsage);
      }
      complain(session.rank(), problem);
      return kExitUsage;
    } catch (const RunError& problem) {
      complain(session.rank(), problem);
      return kExitFailed;
    } catch (const std::bad_alloc&) {
      watchdog.abort("has no memory left; start fewer processes per node");
    } catch (const std::exception& problem) {
      watchdog.abort(fmt::format("failed: {}", problem.what()));
    }
  }

  int plan_for_job(const MpiSession& session, Watchdog& watchdog, const Options& options,
                   const RunContext& context) const {
    const Nodes nodes;
    const auto environment = gather_environment(session, watchdog, nodes, options.memory, {});
    check_on_rank_0([&] {
      parts_.print_plan(
          options, context,
          {.processes = session.size(), .nodes = nodes.count(), .memory = environment.memory});
    });
    return kExitValid;
  }

  void complain(int rank, const std::exception& problem) const {
    if (rank == 0) {
      say(fmt::format("{}: {}", parts_.name, problem.what()));
    }
  }

  /// Where processes know nothing of each other, launchers end the job as soon as one fails: the
  /// silent ones wait for the one that speaks.
  int fail_apart(const LaunchHints& hints, const std::exception& problem, int code) const {
    constexpr std::chrono::milliseconds kTimeToSpeak{1000};
    const int rank = hints.rank.value_or(0);
    complain(rank, problem);
    if (rank != 0) {
      std::this_thread::sleep_for(kTimeToSpeak);
    }
    return code;
  }

  ProgramParts<Options> parts_;
};

}  // namespace beff
