#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/b_eff/plan.hpp"
#include "core/record/json.hpp"
#include "engines/common/environment.hpp"
#include "engines/common/progress.hpp"

namespace beff::b_eff {

/// What the program is to do; the first that is asked for.
enum class Task : std::uint8_t { kMeasure, kHelp, kVersion, kPlan, kProbe };

struct Options {
  Task task = Task::kMeasure;
  bool plan_as_json = false;
  std::optional<int> processes;  ///< of the plan
  std::string output = "b_eff";
  bool overwrite = false;
  StatedMemory memory;
  std::optional<std::uint64_t> seed;
  Definition definition = Definition::k3_5;
  std::vector<Method> methods;
  std::vector<int> pattern_ids;
  std::vector<int> size_indices;
  int repetitions = kRepetitions;
  LoopTime loop_time;
  Seconds time_limit = kDefaultTimeLimit;
  std::optional<int> nodes;
  std::optional<double> rmax_gflops;
  bool check_data = true;
  ProgressMode progress = ProgressMode::kAuto;
  bool quiet = false;

  static constexpr Seconds kDefaultTimeLimit = 1800;

  /// The effective values for the result's `options`.
  Json effective;
  std::string help;
};

/// Reads the command line. Throws UsageError with one sentence.
Options parse_options(int argc, char** argv);

/// The request for `processes` processes with the given memory per process in bytes.
PlanRequest plan_request(const Options& options, int processes, Bytes memory_per_process);

}  // namespace beff::b_eff
