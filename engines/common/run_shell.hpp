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

/// The file by which a run claims its output, and rank 0 asks where the processes stand.
[[nodiscard]] std::filesystem::path roll_of(const CommonOptions& options);

/// Throws UsageError on all ranks where they have not the same program, version and options, as the
/// first step of all; see check_same(). Collective.
void check_same_program(Watchdog& watchdog, const Program& program, const CommonOptions& options);
/// Throws UsageError on all ranks where they have not the same plan, as a step. Collective.
void check_same_plan(Watchdog& watchdog, const Json& plan);

/// What rank 0 does while the others wait, watched as a step; see check_on_rank_0(). Collective.
void on_rank_0(Watchdog& watchdog, std::string_view step, const std::function<void()>& work);

/// What a run has to say at its end.
struct Report {
  std::string result;  ///< as JSON
  std::string protocol;
  std::string shown;  ///< of the protocol, as --quiet wants it
  bool valid;
};

/// How rank 0 ends a run: writes result and protocol, cleans up and prints. Makes no call of MPI.
struct RunEnd {
  const char* program;
  const CommonOptions* options;
  std::function<Report()> report;
  /// Returns whether the report is another one since; may be empty.
  std::function<bool()> clean_up;
};

/// The end of a run, in watched steps. Returns the exit code. Nothing that was measured is lost: a
/// result that cannot be written goes to another place, which is named, or to standard output, with
/// the protocol, and the code is kExitFailed. Collective.
[[nodiscard]] int end_run(Watchdog& watchdog, const RunEnd& end);

/// The same in haste, where MPI hangs or the file system may, without any call of MPI: cleaning up
/// comes last.
[[nodiscard]] int end_run_in_haste(const RunEnd& end);

/// What a hang leaves while the results are not written yet; see Watchdog::leaves().
[[nodiscard]] std::string leaves_journal(const CommonOptions& options);

}  // namespace beff
