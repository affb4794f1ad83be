#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/record/environment.hpp"
#include "core/record/result.hpp"
#include "engines/common/memory/chosen_memory.hpp"
#include "engines/common/mpi/launch.hpp"
#include "engines/common/mpi/nodes.hpp"
#include "engines/common/run/options.hpp"
#include "engines/common/watch/watchdog.hpp"

namespace beff {

/// Version of the project, e.g. "0.1.0"; stands in CMakeLists.txt only.
extern const char* const kProgramVersion;
/// Commit the programs were built from, with "-dirty" for local changes; "unknown" without git.
extern const char* const kGitCommit;

/// What a program is given from outside.
struct RunContext {
  Program program;
  LaunchHints hints;
  std::vector<std::string> command_line;
};

/// What a plan is to be carried out with.
struct Resources {
  int processes;
  std::optional<int> nodes;  ///< without MPI those that are asked for; empty where not known
  Memory memory;
};

/// The memory of `processes` processes that fill the cores of nodes like this one: as stated, or
/// their share. Needs no MPI.
[[nodiscard]] Memory memory_for_plan(const StatedMemory& stated, int processes);

/// Gathers the environment record on rank 0; the other ranks know only what they agree on:
/// processes, memory, oversubscription. Throws UsageError on all ranks when more memory is stated
/// than a node or, where the buffers lie on one, a device has. Collective over MPI_COMM_WORLD.
Environment gather_environment(const MpiSession& session, Watchdog& watchdog, const Nodes& nodes,
                               const StatedMemory& stated, const ChosenMemory& chosen,
                               std::vector<std::string> command_line);

/// Throws UsageError where the processes do not run on the nodes that `options` asks for.
void check_nodes(const CommonOptions& options, const Resources& resources);

/// Prints a plan: as `text`, or as JSON with `fields` behind those that all programs have.
void show_plan(const CommonOptions& options, const RunContext& context, const Resources& resources,
               const std::string& text, const Json& fields);

/// Throws UsageError where these are too few `processes` to measure with; `started`, or else to be
/// planned for.
void check_processes(const CommonOptions& options, const RunContext& context, int processes,
                     bool started);

/// The tasks of a program; all may throw UsageError and RunError.
struct Tasks {
  std::function<const CommonOptions&()> parse;
  /// Called on the rank that speaks.
  std::function<void(const RunContext&, const Resources&)> print_plan;
  /// Every other task; called on all ranks, throws on all alike, and returns the exit code.
  std::function<int(const MpiSession&, Watchdog&, const RunContext&)> carry_out;
};

/// The way of every measuring program from its command line to its exit code: what needs no MPI
/// first, then MPI, and each error as one sentence of rank 0.
int run_program(const char* name, int argc, char** argv, const Tasks& tasks);

/// The same for a program whose `Options` are derived from CommonOptions.
template <class Options>
int run_program(const char* name, int argc, char** argv, Options (*parse)(int argc, char** argv),
                void (*print_plan)(const Options&, const RunContext&, const Resources&),
                int (*carry_out)(const MpiSession&, Watchdog&, Options&, const RunContext&)) {
  Options options;
  return run_program(
      name, argc, argv,
      {.parse = [&]() -> const CommonOptions& { return options = parse(argc, argv); },
       .print_plan = [&](const auto& context,
                         const auto& resources) { print_plan(options, context, resources); },
       .carry_out =
           [&](const auto& session, auto& watchdog, const auto& context) {
             return carry_out(session, watchdog, options, context);
           }});
}

}  // namespace beff
