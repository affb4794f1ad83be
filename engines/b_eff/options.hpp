#pragma once

#include <optional>

#include "core/b_eff/plan.hpp"
#include "engines/common/run/program.hpp"

namespace beff::b_eff {

struct Options : CommonOptions {
  PlanRequest request;  ///< without what planned() adds
  std::optional<double> rmax_gflops;
  bool unchecked = false;  ///< what was received
};

/// Reads the command line. Throws UsageError with one sentence.
Options parse_options(int argc, char** argv);

/// The plan of these options with these resources. Throws UsageError, also where the processes run
/// on other than
/// --nodes.
[[nodiscard]] Plan planned(const Options& options, const Resources& resources);

}  // namespace beff::b_eff
