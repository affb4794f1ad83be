#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/environment.hpp"
#include "core/record/program.hpp"
#include "engines/common/common_options.hpp"
#include "engines/common/launch.hpp"
#include "engines/common/mpi_session.hpp"
#include "engines/common/nodes.hpp"
#include "engines/common/watchdog.hpp"

namespace beff {

/// What a run is given from outside.
struct RunContext {
  Program program;
  LaunchHints hints;
  std::vector<std::string> command_line;
};

/// Where a plan is to be carried out.
struct PlanPlace {
  int processes;
  std::optional<int> nodes;  ///< empty without MPI
  Memory memory;
};

/// Prints a plan: as `text`, or as JSON with `fields` behind those that all programs have.
void show_plan(const CommonOptions& options, const RunContext& context, const PlanPlace& place,
               const std::string& text, const Json& fields);

/// Throws UsageError where the launcher started more processes than MPI sees.
void check_launch(const MpiSession& session, const LaunchHints& hints);

/// A number from 0 to `largest` that rank 0 has drawn. Collective over MPI_COMM_WORLD.
[[nodiscard]] std::uint64_t drawn_number(std::uint64_t largest);

/// The environment of a run, and when the run began.
struct RunStart {
  Environment environment;
  Seconds started;  ///< by run_time()
  Seconds watch;    ///< the same moment by watch_time()
  Seconds day;      ///< the same moment by time_of_day()
};

/// What comes before every measurement: signals ask for an orderly end, the output files are
/// checked, the environment is gathered, and `options` get a seed. Collective over MPI_COMM_WORLD;
/// throws UsageError on all ranks.
[[nodiscard]] RunStart start_run(const MpiSession& session, Watchdog& watchdog, const Nodes& nodes,
                                 CommonOptions& options, const RunContext& context);

/// The environment of a run that has ended. Makes no MPI call, but under simulation.
[[nodiscard]] Environment ended(const RunStart& start);

/// Writes protocol and result of a run on rank 0. Throws RunError.
void write_results(const CommonOptions& options, const std::string& protocol, const Json& result);

/// Prints at the end of a run whose results are written. Throws RunError.
void show(const CommonOptions& options, const std::string& text);

/// The file by which rank 0 asks the processes where they stand when a step hangs; see Watchdog.
[[nodiscard]] std::filesystem::path roll_of(const CommonOptions& options);

/// Says on standard error that a run hangs, and reports what was measured, by `report`; returns the
/// exit code. For the watchdog's thread: without any call of MPI.
int report_hang(const char* program, const std::string& why, const std::function<int()>& report);

/// Lets the watchdog name processes only where all of them see its roll. Collective over
/// MPI_COMM_WORLD.
void agree_on_roll(Watchdog& watchdog);

/// What rank 0 does while the others wait, watched as a step; see check_on_rank_0(). Collective.
void on_rank_0(Watchdog& watchdog, std::string_view step, const std::function<void()>& work);

/// What a hang leaves while the results are not written yet, and thereafter; see
/// Watchdog::leaves().
[[nodiscard]] std::string leaves_journal(const CommonOptions& options);
[[nodiscard]] std::string leaves_result(const CommonOptions& options);

/// The end of a run: rank 0 writes its results by `write`, then prints what it returned; two
/// watched steps. Collective.
void write_and_show(Watchdog& watchdog, const CommonOptions& options,
                    const std::function<std::string()>& write);

}  // namespace beff
