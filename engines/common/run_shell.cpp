#include "engines/common/run_shell.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <random>

#include "core/random_permutation.hpp"
#include "core/record/digest.hpp"
#include "core/record/json.hpp"
#include "engines/common/agree.hpp"
#include "engines/common/clock.hpp"
#include "engines/common/fail.hpp"
#include "engines/common/files.hpp"
#include "engines/common/output_files.hpp"
#include "engines/common/system_files.hpp"

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
  watchdog.wait_for_rank_0("set-up: checking the output files");
  check_on_rank_0([&] {
    const OutputFiles files(options.output);
    files.check_folder();
    try {
      watchdog.claim();
    } catch (const FileError& problem) {
      throw UsageError(fmt::format("--output {}: {}", options.output, problem.what()));
    }
    files.check_files(options.overwrite);
  });
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

std::filesystem::path roll_of(const CommonOptions& options) {
  return std::filesystem::absolute(options.output + ".roll");
}

void check_same_program(Watchdog& watchdog, const Program& program, const CommonOptions& options) {
  watchdog.enter("set-up: the first meeting");
  Json fields = {{"program", program.name},
                 {"version", program.version},
                 {"commit", program.git_commit},
                 {"task", static_cast<int>(options.task)}};
  fields.update(*options.effective);
  check_same(fields);
}

void check_same_plan(Watchdog& watchdog, const Json& plan) {
  watchdog.enter("set-up: comparing the plans");
  Digest digest;
  digest.add(json_text(plan));
  check_same({{"plan", digest.hex()}});
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

namespace {

/// What has become of a report.
struct Written {
  std::string text;  ///< to be printed
  std::string place;
  int code;
};

Written write_report(const RunEnd& end) {
  const OutputFiles files(end.options->output);
  const auto report = end.report();
  const auto result = report.result + "\n";
  Written written{.text = report.shown,
                  .place = files.result().string(),
                  .code = report.valid ? kExitValid : kExitNotValid};
  const auto complain = [&](const std::filesystem::path& path, const FileError& problem,
                            const std::string& way_out) {
    say(fmt::format("{}: {} could not be written: {}; {}", end.program, path.string(),
                    problem.what(), way_out));
    written.code = kExitFailed;
  };
  std::string before;
  try {
    write_atomically(files.result(), result);
  } catch (const FileError& problem) {
    const auto other = write_elsewhere(files.result(), result);
    written.place = other ? fmt::format("{} on {}", other->string(), own_host())
                          : std::string("what was printed");
    before = other ? std::string() : result;
    written.text = report.protocol;
    complain(
        files.result(), problem,
        other ? "the result is in " + written.place : "the result is printed, before the protocol");
  }
  try {
    write_atomically(files.protocol(), report.protocol);
  } catch (const FileError& problem) {
    written.text = report.protocol;
    complain(files.protocol(), problem, "the protocol is printed");
  }
  written.text = before + written.text;
  return written;
}

void print(const Written& written) {
  if (std::fwrite(written.text.data(), 1, written.text.size(), stdout) != written.text.size() ||
      std::fflush(stdout) != 0) {
    throw RunError(fmt::format("standard output cannot be written: {}; the result is in {}",
                               std::strerror(errno), written.place));
  }
}

}  // namespace

int end_run(Watchdog& watchdog, const RunEnd& end) {
  Written written{};
  on_rank_0(watchdog, "writing the result", [&] { written = write_report(end); });
  watchdog.leaves("the result is in " + written.place);
  if (end.clean_up) {
    on_rank_0(watchdog, "removing the files", [&] {
      if (end.clean_up()) {
        written = write_report(end);
      }
    });
  }
  on_rank_0(watchdog, "printing the result", [&] { print(written); });
  return from_rank_0(written.code);
}

int end_run_in_haste(const RunEnd& end) {
  int code = kExitFailed;
  try {
    const auto written = write_report(end);
    print(written);
    code = written.code;
  } catch (const std::exception& problem) {
    say(fmt::format("{}: {}", end.program, problem.what()));
  }
  if (end.clean_up) {
    (void)end.clean_up();
  }
  return code;
}

}  // namespace beff
