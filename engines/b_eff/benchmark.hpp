#pragma once

#include <optional>

#include "core/b_eff/measure.hpp"
#include "engines/common/nodes.hpp"

namespace beff::b_eff {

struct BenchmarkLimits {
  std::optional<Seconds> time_limit;  ///< ends the run early, after the loop it is in
  bool check_data = true;
};

/// Measures the plan by MPI. Samples and pairs are kept on rank 0 only; data check,
/// completeness and reason to stop are the same everywhere. Collective over MPI_COMM_WORLD.
Measurement run_benchmark(const Plan& plan, const Nodes& nodes, const BenchmarkLimits& limits,
                          const Hooks& hooks);

}  // namespace beff::b_eff
