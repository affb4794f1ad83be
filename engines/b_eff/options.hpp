#pragma once

#include <optional>
#include <vector>

#include "core/b_eff/plan.hpp"
#include "engines/common/common_options.hpp"

namespace beff::b_eff {

struct Options : CommonOptions {
  Definition definition = Definition::k3_5;
  std::vector<Method> methods;
  std::vector<int> pattern_ids;
  std::vector<int> size_indices;
  int repetitions = kRepetitions;
  LoopTime loop_time;
  std::optional<int> nodes;
  std::optional<double> rmax_gflops;
  bool check_data = true;
};

/// Reads the command line. Throws UsageError with one sentence.
Options parse_options(int argc, char** argv);

/// The request for `processes` processes with the given memory per process in bytes.
PlanRequest plan_request(const Options& options, int processes, Bytes memory_per_process);

}  // namespace beff::b_eff
