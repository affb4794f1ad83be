#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "core/b_eff/plan.hpp"
#include "core/b_eff/result.hpp"

namespace beff::b_eff {

/// What a run does beside measuring; rank 0 fills in what it needs.
struct BenchmarkHooks {
  /// After every recorded loop.
  std::function<void(const Sample&)> recorded = [](const Sample&) {};
  /// After every repetition but the last, with all loops so far.
  std::function<void(std::span<const Sample>)> repetition_ended = [](std::span<const Sample>) {};
  /// Before a pattern goes on: recorded loops so far and the pattern's name.
  std::function<void(std::int64_t done, std::string_view pattern)> progress =
      [](std::int64_t, std::string_view) {};
};

struct BenchmarkLimits {
  std::optional<Seconds> time_limit;  ///< ends the run early, after the loop it is in
  bool check_data = true;
};

/// Measures the plan, loop by loop as its schedule says. Samples and process times are kept on rank
/// 0 only; data check, completeness and reason to stop are the same everywhere. Collective over
/// MPI_COMM_WORLD.
Measurement run_benchmark(const Plan& plan, const BenchmarkLimits& limits,
                          const BenchmarkHooks& hooks);

}  // namespace beff::b_eff
