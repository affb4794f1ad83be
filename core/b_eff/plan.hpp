#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/b_eff/loops.hpp"
#include "core/b_eff/methods.hpp"
#include "core/b_eff/pattern_table.hpp"

namespace beff::b_eff {

/// Repetitions of each measurement; the best counts.
inline constexpr int kRepetitions = 3;

/// What the user asks for. Defaults are the official schedule; empty lists mean "all of them".
struct PlanRequest {
  int processes = 0;                  ///< at least 2
  Bytes memory_per_process = 0;       ///< more than 512 KiB
  std::optional<std::uint64_t> seed;  ///< at most kLargestSeed; a measurement needs one
  Definition definition = Definition::k3_5;
  RandomOrder random_order = RandomOrder::kUniform;
  std::vector<Method> methods;    ///< empty: the three official ones
  std::vector<int> pattern_ids;   ///< empty: all that exist for `processes`
  std::vector<int> size_indices;  ///< empty: all 21
  int repetitions = kRepetitions;
  LoopTime loop_time;
};

/// Everything that will be measured, fixed before the first measurement and the same on all
/// processes: the request, with methods and sizes filled in, and what follows from it. O(1) memory
/// in the number of processes.
struct Plan : PlanRequest {
  std::array<Bytes, kMessageSizes> sizes{};
  std::vector<Pattern> patterns;  ///< those to be measured, in order of their ids
  int existing_patterns = 0;      ///< those that exist for this number of processes
  int averaged_patterns = 0;      ///< those of them that enter the value

  /// Nothing follows yet: see make_plan().
  explicit Plan(const PlanRequest& request) : PlanRequest(request) {}

  [[nodiscard]] Bytes lmax() const { return sizes.back(); }
};

/// Throws PlanError when the memory is too small, a pattern id does not exist for this
/// number of processes, or nothing is left to be measured.
Plan make_plan(const PlanRequest& request);

/// Timed loops of one repetition of `pattern`.
std::int64_t loops_of_repetition(const Plan& plan, const Pattern& pattern);

/// Number of timed loops that the plan records.
std::int64_t planned_loops(const Plan& plan);

/// Time of all loops when each keeps within the window, warm-up and synchronisation included; no
/// bound: messages that take longer than the window make a run longer.
Seconds expected_time(const Plan& plan);

/// What would be measured and how long that takes. `memory_source` says where the memory per
/// process comes from; `time_limit` bounds the run.
std::string plan_text(const Plan& plan, const std::string& memory_source,
                      std::optional<Seconds> time_limit);

}  // namespace beff::b_eff
