#include "engines/common/run_shell.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <random>

#include "core/random_permutation.hpp"
#include "core/record/json.hpp"
#include "engines/common/agree.hpp"
#include "engines/common/clock.hpp"
#include "engines/common/fail.hpp"
#include "engines/common/in_time.hpp"
#include "engines/common/output_files.hpp"
#include "engines/common/stop_signal.hpp"

namespace beff {

void show_plan(const CommonOptions& options, const RunContext& context, const PlanPlace& place,
               const std::string& text, const Json& fields) {
  if (!options.plan_as_json) {
    fmt::print("{}", text);
    return;
  }
  Json document = {{"schema_version", kSchemaVersion},
                   {"benchmark", context.program.name},
                   {"program", to_json(context.program)},
                   {"processes", place.processes},
                   {"memory_per_process_bytes", place.memory.per_process},
                   {"time_limit_s", or_null(options.time_limit)}};
  document.update(fields);
  fmt::print("{}\n", json_text(document, 1));
}

void check_launch(const MpiSession& session, const LaunchHints& hints) {
  if (session.size() == 1 && hints.size && *hints.size > 1) {
    throw UsageError(fmt::format(
        "{} is {}, but MPI sees a single process: the launcher and the MPI library of this program "
        "do not belong together, so the processes run apart; use the launcher of this MPI library",
        hints.size_variable, *hints.size));
  }
}

std::uint64_t drawn_number(std::uint64_t largest) {
  std::random_device device;
  std::uniform_int_distribution<std::uint64_t> numbers(0, largest);
  return from_rank_0(numbers(device));
}

RunStart start_run(const MpiSession& session, Watchdog& watchdog, const Nodes& nodes,
                   CommonOptions& options, const RunContext& context) {
  catch_stop_signals();
  watchdog.wait_for_rank_0("set-up: checking the output files");
  check_on_rank_0([&] { OutputFiles(options.output).check(options.overwrite); });
  const Seconds started = run_time();
  const Seconds watch = watch_time();
  const Seconds day = time_of_day();
  auto environment =
      gather_environment(session, watchdog, nodes, options.memory, context.command_line);
  watchdog.enter("set-up: agreeing on the seed");
  set_seed(options, options.seed.value_or(drawn_number(kLargestSeed)));
  return {.environment = std::move(environment), .started = started, .watch = watch, .day = day};
}

Environment ended(const RunStart& start) {
  auto environment = start.environment;
  // the time of day may have been set under way
  environment.finished_at = utc_text(start.day + (watch_time() - start.watch));
  environment.wall = run_time() - start.started;
  return environment;
}

void write_results(const CommonOptions& options, const std::string& protocol, const Json& result) {
  const OutputFiles files(options.output);
  write_atomically(files.result(), json_text(result, 1) + "\n");
  write_atomically(files.protocol(), protocol);
}

void show(const CommonOptions& options, const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    throw RunError(fmt::format("standard output cannot be written: {}; the result is in {}",
                               std::strerror(errno),
                               OutputFiles(options.output).result().string()));
  }
}

std::filesystem::path roll_of(const CommonOptions& options) {
  return std::filesystem::absolute(options.output + ".roll");
}

int report_hang(const char* program, const std::string& why, const std::function<int()>& report) {
  say_in_time(fmt::format("{}: {}; what was measured so far is reported", program, why));
  try {
    return report();
  } catch (const RunError& problem) {
    fmt::print(stderr, "{}: {}\n", program, problem.what());
    return kExitFailed;
  }
}

void agree_on_roll(Watchdog& watchdog) {
  watchdog.enter("set-up: the first meeting");
  MPI_Barrier(MPI_COMM_WORLD);  // rank 0 has made it
  if (allreduce(watchdog.sees_roll() ? 1 : 0, MPI_MIN) == 1) {
    watchdog.name_processes();
  }
}

void on_rank_0(Watchdog& watchdog, std::string_view step, const std::function<void()>& work) {
  const WatchedStage stage(watchdog, {.name = step});
  if (world_rank() != 0) {
    watchdog.arrived();
  }
  check_on_rank_0(work);
}

std::string leaves_journal(const CommonOptions& options) {
  return fmt::format("what was measured is in {}", OutputFiles(options.output).journal().string());
}

std::string leaves_result(const CommonOptions& options) {
  return fmt::format("the result is in {}", OutputFiles(options.output).result().string());
}

void write_and_show(Watchdog& watchdog, const CommonOptions& options,
                    const std::function<std::string()>& write) {
  std::string text;
  on_rank_0(watchdog, "writing the result", [&] { text = write(); });
  watchdog.leaves(leaves_result(options));
  on_rank_0(watchdog, "printing the result", [&] { show(options, text); });
}

}  // namespace beff
