#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/pairs/network.hpp"
#include "core/pairs/pair_map.hpp"
#include "core/pairs/plan.hpp"
#include "core/record/result.hpp"

namespace beff::pairs {

/// How long copies from memory to memory are measured.
inline constexpr Seconds kCopiesTake = 0.2;

/// What the hardware allows, as far as a run finds out.
struct Roofs {
  /// Bytes copied memory to memory while all processes do so; empty where not measured.
  std::optional<double> copy_MBps_per_process;
  std::vector<HostHardware> of_hosts;  ///< in order of node index, on rank 0
  Seconds took = 0;

  [[nodiscard]] bool any() const { return copy_MBps_per_process || !of_hosts.empty(); }
};

/// Field `roofs` of the result file; null where nothing is known.
Json to_json(const Roofs& roofs, const std::vector<Host>& hosts);

/// The roofs in words, and hosts that differ from the others.
std::string roofs_text(const Roofs& roofs, const std::vector<Host>& hosts);

/// What a run has measured so far.
struct Measurement : RunRecord {
  PairMap map;
  NetworkRecord network;
  Roofs roofs;
};

/// A run with everything that a report needs.
struct Result : ResultHead {
  Measurement measurement;
};

/// Derives criteria and cautions from a measurement.
Result make_result(const Plan& plan, ResultHead head, Measurement measurement);

/// The result file (python/beff/result, benchmark "b_pairs").
Json to_json(const Plan& plan, const Result& result);

/// `--plan=json`: field `plan` of the result.
Json plan_json(const Plan& plan);

/// A round and a retest as lines of the journal.
Json to_json(const Place& place, const RoundTimes& times);
Json to_json(const Retest& retest);

/// What will be measured. `time_limit` bounds the run.
std::string plan_text(const Plan& plan, std::optional<Seconds> time_limit);

/// Environment, the slowest units by plain medians, criteria and cautions.
std::string summary_text(const Plan& plan, const Result& result);

/// The readable protocol: the plan, with what bounds the run, the summary and the last line.
std::string protocol_text(const Plan& plan, const Result& result);

/// `b_pairs = 1234.567 MB/s each way, 1.234 us per exchange, bisection 12.345 GB/s, of 16 hosts on
/// …`.
std::string last_line(const Plan& plan, const Result& result);

}  // namespace beff::pairs
