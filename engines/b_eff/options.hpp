#pragma once

#include <optional>

#include "core/b_eff/plan.hpp"
#include "engines/common/common_options.hpp"

namespace beff::b_eff {

struct Options : CommonOptions {
  PlanRequest request;  ///< without what planned() adds
  std::optional<int> nodes;
  std::optional<double> rmax_gflops;
  bool check_data = true;
};

/// Reads the command line. Throws UsageError with one sentence.
Options parse_options(int argc, char** argv);

/// The plan of these options for `processes` processes on `hosts` hosts with the given memory per
/// process in bytes. Throws UsageError.
[[nodiscard]] Plan planned(const Options& options, int processes, int hosts,
                           Bytes memory_per_process);

}  // namespace beff::b_eff
