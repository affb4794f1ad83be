#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/pairs/network_plan.hpp"
#include "core/record/json_fwd.hpp"

namespace beff::pairs {

/// A step of two halves, all of its pairs at the same time.
struct StepResult {
  double sum_MBps = 0;  ///< of all pairs, both ways
  UnitPair slowest;
  std::int64_t slowest_ns = 0;  ///< for a message each way
  std::int64_t mean_ns = 0;     ///< of its pairs, rounded
};

/// A pair with nothing else under way.
struct AloneResult {
  UnitPair pair;
  std::int64_t ns = 0;  ///< for a message each way
};

/// What a bisection has measured so far.
struct BisectionRecord {
  std::vector<AloneResult> alone;
  std::vector<std::vector<StepResult>> halves;  ///< by the place of the step, see spread_step()
  Seconds took = 0;
  /// Of all halves.
  [[nodiscard]] int steps() const;
};

/// One number of processes per host, and the times of the pairs that met.
struct PerHostResult {
  int processes = 0;
  Traffic traffic = Traffic::kBothWays;
  bool alone = false;            ///< some pairs one after the other, or all at once
  std::vector<std::int64_t> ns;  ///< of the pairs
};

/// What was measured of the network as a whole.
struct NetworkRecord {
  BisectionRecord bisection;
  std::vector<PerHostResult> per_host;
};

/// MB/s of a pair of units, both directions together, that needs `ns` for an exchange; messages per
/// second of kMessages.
[[nodiscard]] double rate_of(const Plan& plan, int processes, Traffic traffic, double ns);

/// The sum and the slowest of the pairs of a step, which is not empty.
[[nodiscard]] StepResult step_result(const Plan& plan, const std::vector<UnitPair>& pairs,
                                     const std::vector<std::int64_t>& ns);

/// Minimum, mean and maximum over all steps, and where the minimum was.
struct BisectionFigures {
  double minimum_MBps = 0;
  double mean_MBps = 0;
  double maximum_MBps = 0;
  double by_mean_time_MBps = 0;  ///< the least of all steps, of their pairs by their mean time
  int halves = 0;
  int step = 0;
  StepResult at_minimum;
  double slowest_MBps = 0;  ///< the pair at_minimum.slowest
  /// What the pairs of that step have when each meets as a pair alone does in the middle.
  std::optional<double> full_MBps;
  [[nodiscard]] std::optional<double> percent() const;
};

/// Empty where no step was measured.
[[nodiscard]] std::optional<BisectionFigures> bisection_figures(const Plan& plan,
                                                                const BisectionRecord& record);

/// What the pair of hosts in the middle of those alone reaches. Empty where not measured.
struct PerHostFigures {
  std::optional<double> one_way_MBps;  ///< the best
  std::optional<int> processes;        ///< the fewest that reach 95 % of it
  std::optional<double> both_ways_MBps;
  std::optional<double> messages_per_s;
  std::optional<int> messages_processes;  ///< the fewest that reach 95 % of it
};
[[nodiscard]] PerHostFigures per_host_figures(const Plan& plan,
                                              const std::vector<PerHostResult>& rows);

/// Fields of the plan and of the result file; null where nothing of it is asked for.
[[nodiscard]] Json bisection_plan_json(const Plan& plan);
[[nodiscard]] Json per_host_plan_json(const Plan& plan);
[[nodiscard]] Json bisection_json(const Plan& plan, const BisectionRecord& record);
[[nodiscard]] Json per_host_json(const Plan& plan, const std::vector<PerHostResult>& rows);
/// Their part of the summary.
[[nodiscard]] Json network_summary(const Plan& plan, const NetworkRecord& record);

/// Lines of the journal.
[[nodiscard]] Json to_json(const AloneResult& alone);
[[nodiscard]] Json to_json(int halves, int place, const StepResult& step);
[[nodiscard]] Json to_json(const PerHostResult& row);

/// What is planned, in words; empty where the plan has none.
[[nodiscard]] std::string network_plan_text(const Plan& plan);
/// Their part of the last line.
[[nodiscard]] std::string network_words(const Plan& plan, const NetworkRecord& record);

}  // namespace beff::pairs
