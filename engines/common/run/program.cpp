#include "engines/common/run/program.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>
#include <thread>

#include "core/record/json.hpp"
#include "engines/common/memory/chosen_memory.hpp"
#include "engines/common/mpi/agree.hpp"
#include "engines/common/mpi/launch.hpp"
#include "engines/common/mpi/nodes.hpp"
#include "engines/common/watch/end.hpp"

namespace beff {
namespace {

void complain(const RunContext& context, int rank, const std::exception& problem) {
  if (rank == 0) {
    say(fmt::format("{}: {}", context.program.name, problem.what()));
  }
}

/// Where processes know nothing of each other, launchers end the job as soon as one fails: the
/// silent ones wait for the one that speaks.
int fail_apart(const RunContext& context, const std::exception& problem, int code) {
  constexpr std::chrono::milliseconds kTimeToSpeak{1000};
  const int rank = context.hints.rank.value_or(0);
  complain(context, rank, problem);
  if (rank != 0) {
    std::this_thread::sleep_for(kTimeToSpeak);
  }
  return code;
}

/// Two lines: the program, and the MPI library that it has found; SMPI cannot be asked yet.
std::string version_text(const Program& program) {
  const auto line = fmt::format("{} {} ({})", program.name, program.version, program.git_commit);
  return kSimulated ? line : fmt::format("{}\nMPI library: {}", line, mpi_library_text());
}

/// Throws UsageError where the launcher started more processes than MPI sees.
void check_launch(const MpiSession& session, const LaunchHints& hints) {
  if (session.size() == 1 && hints.size && *hints.size > 1) {
    throw UsageError(fmt::format(
        "{} is {}, but MPI sees a single process: the launcher and the MPI library of this program "
        "do not belong together, so the processes run apart; use the launcher of this MPI library",
        hints.size_variable, *hints.size));
  }
}

/// Throws UsageError on all ranks where they have not the same program, version and options, as the
/// first step of all.
void check_same_program(Watchdog& watchdog, const Program& program, const CommonOptions& options) {
  watchdog.enter("set-up: the first meeting");
  Json fields = {{"program", program.name},
                 {"version", program.version},
                 {"commit", program.git_commit},
                 {"task", static_cast<int>(options.task)}};
  fields.update(*options.effective);
  check_same(fields);
}

int plan_for_job(const MpiSession& session, Watchdog& watchdog, const Tasks& tasks,
                 const CommonOptions& options, const RunContext& context) {
  const Nodes nodes;
  const auto chosen = choose_memory(options.buffers, nodes, watchdog);
  const auto environment = gather_environment(session, watchdog, nodes, options.memory, chosen, {});
  check_processes(options, context, session.size(), /*started=*/true);
  check_on_rank_0([&] {
    tasks.print_plan(
        context,
        {.processes = session.size(), .nodes = nodes.count(), .memory = environment.memory});
  });
  return kExitValid;
}

int in_session(const MpiSession& session, Watchdog& watchdog, const Tasks& tasks,
               const CommonOptions& options, const RunContext& context) {
  try {
    if (options.task != Task::kProbe) {
      check_launch(session, context.hints);
    }
    check_same_program(watchdog, context.program, options);
    watchdog.enter("set-up: finding the nodes");
    return options.task == Task::kPlan ? plan_for_job(session, watchdog, tasks, options, context)
                                       : tasks.carry_out(session, watchdog, context);
  } catch (const UsageError& problem) {
    if (session.size() == 1) {
      return fail_apart(context, problem, kExitUsage);
    }
    complain(context, session.rank(), problem);
    return kExitUsage;
  } catch (const RunError& problem) {
    complain(context, session.rank(), problem);
    return kExitFailed;
  } catch (const std::bad_alloc&) {
    watchdog.abort("has no memory left; start fewer processes per node");
  } catch (const std::exception& problem) {
    watchdog.abort(fmt::format("failed: {}", problem.what()));
  }
}

int with_mpi(int argc, char** argv, const Tasks& tasks, const CommonOptions& options,
             const RunContext& context) {
  watch_launcher(context.hints);
  forget_other_launchers();
  take_errors_for_signals();
  const bool measures = options.task == Task::kMeasure;
  Watchdog watchdog({.program = context.program.name.c_str(),
                     .limit = options.longest_step(0),
                     .roll = measures ? std::filesystem::absolute(options.output + ".roll")
                                      : std::filesystem::path()});
  watchdog.sign_in(context.hints);
  const MpiSession session(&argc, &argv);
  if (measures) {
    catch_stop_signals();
  }
  watchdog.start(session.rank(), session.size());
  const int code = in_session(session, watchdog, tasks, options, context);
  watchdog.enter("MPI_Finalize");
  watchdog.note_arrival();
  // Launchers end all processes as soon as one gives a code: rank 0 alone does, once it has
  // removed the roll.
  return session.rank() == 0 ? code : kExitValid;
}

int before_mpi(int argc, char** argv, const Tasks& tasks, const RunContext& context) {
  const auto& options = tasks.parse();
  const bool speaks = context.hints.rank.value_or(0) == 0;
  if (options.task == Task::kHelp || options.task == Task::kShowVersion) {
    if (speaks) {
      fmt::print("{}\n",
                 options.task == Task::kHelp ? options.help : version_text(context.program));
    }
    return kExitValid;
  }
  if (options.task == Task::kPlan && options.processes) {
    if (!options.buffers.is_host() && !options.memory.per_process) {
      throw UsageError(fmt::format(
          "--memory {}: a plan without a job looks at no device; give --memory-per-process as well",
          options.buffers.text()));
    }
    if (speaks) {
      check_processes(options, context, *options.processes, /*started=*/false);
      tasks.print_plan(context, {.processes = *options.processes,
                                 .nodes = options.nodes,
                                 .memory = memory_for_plan(options.memory, *options.processes)});
    }
    return kExitValid;
  }
  if (const auto problem = foreign_launcher(context.hints)) {
    throw UsageError(*problem);
  }
  return with_mpi(argc, argv, tasks, options, context);
}

/// Gives closed standard streams a place where nothing is kept: else the next file or socket that
/// is opened has the number of one, and gets what is printed.
void open_closed_streams() {
  for (int number = STDIN_FILENO; number <= STDERR_FILENO; ++number) {
    if (fcntl(number, F_GETFD) < 0) {
      (void)open("/dev/null", O_RDWR);  // takes the lowest number that is free
    }
  }
}

}  // namespace

void check_processes(const CommonOptions& options, const RunContext& context, int processes,
                     bool started) {
  if (processes < options.fewest_processes) {
    const auto what = fmt::format("{} needs at least two processes", context.program.name);
    throw UsageError(
        started ? fmt::format("{}, for example mpiexec -n 2 {}", what, context.program.name)
                : fmt::format("--processes {}: {}", processes, what));
  }
}

void check_nodes(const CommonOptions& options, const Resources& resources) {
  if (!options.nodes) {
    return;
  }
  if (*options.nodes > resources.processes) {
    throw UsageError(fmt::format("--nodes {}: more than {}; give at most that", *options.nodes,
                                 counted(resources.processes, "process")));
  }
  if (resources.nodes && *options.nodes != *resources.nodes) {
    throw UsageError(
        fmt::format("--nodes {}: the {} processes run on {}; correct the launch or the option",
                    *options.nodes, resources.processes, counted(*resources.nodes, "node")));
  }
}

void show_plan(const CommonOptions& options, const RunContext& context, const Resources& resources,
               const std::string& text, const Json& fields) {
  if (!options.plan_as_json) {
    fmt::print("{}", text);
    return;
  }
  Json document = {{"schema_version", kSchemaVersion},
                   {"benchmark", context.program.name},
                   {"program", to_json(context.program)},
                   {"processes", resources.processes},
                   {"memory_per_process_bytes", resources.memory.per_process},
                   {"time_limit_s", or_null(options.time_limit)}};
  document.update(fields);
  fmt::print("{}\n", json_text(document, 1));
}

int run_program(const char* name, int argc, char** argv, const Tasks& tasks) {
  open_closed_streams();
  const RunContext context{
      .program = {.name = name, .version = kProgramVersion, .git_commit = kGitCommit},
      .hints = launch_hints(),
      .command_line = {argv, argv + argc}};
  try {
    return before_mpi(argc, argv, tasks, context);
  } catch (const UsageError& problem) {
    return fail_apart(context, problem, kExitUsage);
  } catch (const std::exception& problem) {
    return fail_apart(context, problem, kExitFailed);
  }
}

}  // namespace beff
