#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/pairs/network.hpp"
#include "core/pairs/plan.hpp"
#include "core/record/result.hpp"

namespace beff::pairs {

using Nanoseconds = std::optional<std::int64_t>;  ///< empty where not measured

/// What a pair took for an exchange of one message each way, on its slowest process.
struct PairTimes {
  Nanoseconds small;
  Nanoseconds large;
};

/// The times of the pairs of a round, in their order.
using RoundTimes = std::vector<PairTimes>;

/// Where in the run a meeting is.
struct Place {
  int pass = 0;
  int round = 0;
};

/// A pair that was measured again with nothing else under way.
struct Retest {
  UnitPair pair;
  PairTimes both_ways;
  Nanoseconds there;  ///< a large message from first to second, and a short answer
  Nanoseconds back;   ///< from second to first
};

/// A step that a unit never ended.
struct NoAnswer {
  int pass = 0;                   ///< of rounds, or behind them of the retests
  int round = 0;                  ///< in the pass, or the number of the retest
  std::vector<int> silent;        ///< units with a process that gave no sign
  std::vector<UnitPair> waiting;  ///< pairs that did not end, where no unit is silent
};

/// The map of pairs so far.
struct PairMap {
  std::vector<std::vector<RoundTimes>> passes;  ///< the last one shorter where the run was stopped
  std::vector<Retest> retests;
  std::optional<NoAnswer> no_answer;
  Seconds took = 0;
};

/// Most units and most links that are measured again, and partners of each such unit.
inline constexpr std::size_t kMostUnitsAgain = 8;
inline constexpr std::size_t kMostLinksAgain = 12;
inline constexpr std::size_t kPartnersAgain = 2;
/// How often each of them is measured again at most.
inline constexpr int kRetestPasses = 4;

/// What is to be measured again alone: the units whose quickest pair is more than 15 % slower than
/// that of the unit in the middle, with their quickest partners, and beside each a pair of the same
/// partner with another unit, for comparison; the links that are more than 25 % slower than three
/// quarters of those of either end, with one of each end that is as slow as these. Each pair once,
/// the worst first.
std::vector<UnitPair> pairs_to_retest(const Plan& plan, const PairMap& map);

/// The value in the middle, or the mean of the two there; of a list that is not empty.
[[nodiscard]] double median(std::vector<double> values);

/// Medians of all pairs; empty where nothing was measured.
struct Medians {
  std::optional<double> pair_MBps;   ///< of one process in a large message, each way
  std::optional<double> latency_us;  ///< of an exchange of short messages
};
Medians medians_of(const Plan& plan, const PairMap& map);

/// How long copies from memory to memory are measured.
inline constexpr Seconds kCopiesTake = 0.2;

/// What the hardware allows, as far as a run finds out.
struct Roofs {
  /// Bytes copied memory to memory while all processes do so; empty where not measured.
  std::optional<double> copy_MBps_per_process;
  std::vector<HostHardware> of_hosts;  ///< in order of node index, on rank 0
  Seconds took = 0;
};

/// Field `roofs` of the result file; null where nothing is known.
Json to_json(const Roofs& roofs, const std::vector<Host>& hosts);

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

/// Environment, what did not answer, cautions, and criteria that are not met.
std::string summary_text(const Plan& plan, const Result& result);

/// The readable protocol: the plan, with what bounds the run, the summary and the last line.
std::string protocol_text(const Plan& plan, const Result& result);

/// `b_pairs = 1234.567 MB/s each way, 1.234 us per exchange, bisection 12.345 GB/s, of 16 hosts on
/// …`.
std::string last_line(const Plan& plan, const Result& result);

}  // namespace beff::pairs
