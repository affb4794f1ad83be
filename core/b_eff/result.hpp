#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/b_eff/plan.hpp"
#include "core/benchmark.hpp"
#include "core/record/result.hpp"

namespace beff::b_eff {

using FigureBySize = std::array<Figure, kMessageSizes>;

[[nodiscard]] inline Figure per_process(const Figure& figure, int processes) {
  return figure ? Figure(*figure / processes) : std::nullopt;
}

/// b(pat, L, mthd, rep) = L · messages · loop length / slowest process's time, in MB/s.
double bandwidth_MBps(const Plan& plan, const Pattern& pattern, const Sample& sample);

/// How often each pattern was measured whole, by all sizes and methods; in the plan's order.
std::vector<int> whole_repetitions(const Plan& plan, std::span<const Sample> samples);

/// The smallest of these numbers, patterns that no method of the plan measures left out.
int fewest_repetitions(const Plan& plan, std::span<const Sample> samples);

/// Raises `best` at the size of `sample` to what release 3.6 makes of it:
/// n · L · `least_rate`, the smallest number of messages per second that a process sends. Leaves
/// out methods that are not official and loops that the clock did not resolve.
void raise_release_3_6(FigureBySize& best, const Plan& plan, const Sample& sample,
                       double least_rate);

/// Mean over the 21 sizes; empty unless all were measured.
Figure average_over_sizes(const FigureBySize& by_size);

/// Bandwidths of one pattern, condensed from its samples.
struct PatternFigures {
  FigureBySize by_size;           ///< best method and repetition
  Figure average;                 ///< mean over the 21 sizes
  std::vector<Figure> by_method;  ///< mean over the sizes of the best repetition, per plan method
  Figure latency_us;              ///< time of one message at 1 byte
};

/// The three logarithmic averages of one quantity. `both` = logavg(first, random).
struct GroupAverages {
  Figure first;  ///< rings (3.5) or Cartesian patterns (3.1)
  Figure random;
  Figure both;
};

/// Everything that is derived from the samples (IPDPS paper, section 4, and Table 1).
struct Figures {
  std::vector<PatternFigures> patterns;  ///< in the plan's order
  GroupAverages b_eff;                   ///< .both is the value
  std::array<GroupAverages, kMessageSizes> by_size;
  Figure latency_us;        ///< n / b(1 byte), rings and random
  Figure rings_latency_us;  ///< rings only
  Figure pingpong_latency_us;
  Figure pingpong_MBps;  ///< at L_max

  [[nodiscard]] const GroupAverages& at_lmax() const { return by_size.back(); }
};

/// Selects the samples that count. The value itself uses counts_officially().
using SampleFilter = std::function<bool(const Sample&)>;

/// Keeps the samples of the three official methods.
SampleFilter counts_officially(const Plan& plan);

/// Condenses samples to figures. Only samples that pass `filter` count, except in
/// PatternFigures::by_method, which shows every method.
Figures condense(const Plan& plan, std::span<const Sample> samples, const SampleFilter& filter);

/// The value as it would be if only some samples counted: one method, or one repetition.
struct Slice {
  std::string name;
  GroupAverages value;
  Figure at_lmax;           ///< rings and random
  std::int64_t best_count;  ///< how often this slice holds the best of a pattern and size
};

/// One slice per method of the plan, the additional ones included.
std::vector<Slice> by_method(const Plan& plan, std::span<const Sample> samples);

/// One slice per repetition that was begun, official methods only.
std::vector<Slice> by_repetition(const Plan& plan, std::span<const Sample> samples);

/// Lowest, logarithmic average and highest bandwidth of a group of patterns at one message size.
struct Spread {
  Figure worst;
  Figure average;
  Figure best;
};

/// Spread over the measured patterns of `group` at size index `size`, in MB/s.
Spread spread_at(const Plan& plan, const Figures& figures, Group group, std::size_t size);

/// What a run has measured so far. Plain data; everything else is derived from it.
struct Measurement : RunRecord {
  std::vector<Sample> samples;
  DataCheck data_check;
  Accounting accounting;
  FigureBySize release_3_6{};  ///< see Pattern::has_release_3_6
  /// Messages of an iteration that leave the host which sends the most to others, by pattern of the
  /// plan; negative where it was not measured. Empty where not known.
  std::vector<std::int64_t> leaving_messages;
};

/// A run with everything that a report needs.
struct Result : ResultHead {
  std::optional<double> rmax_gflops;
  Measurement measurement;
  Figures figures{};

  /// Time in which the total memory is communicated at b_eff; none by a definition with a memory of
  /// its own.
  [[nodiscard]] Figure total_memory_exchange_s(const Plan& plan) const;
  /// b_eff / R_max.
  [[nodiscard]] Figure balance_bytes_per_flop() const;
};

/// The rules a result must meet to be compared; docs/reference/definitions.md explains each.
std::vector<Criterion> validity_criteria(const Plan& plan, const Environment& environment,
                                         const Measurement& measurement);

/// What a reader should know although it does not make the result invalid.
std::vector<Statement> cautions(const Plan& plan, const Environment& environment,
                                const Measurement& measurement);

/// Derives figures, criteria and cautions from a measurement.
Result make_result(const Plan& plan, ResultHead head, Measurement measurement,
                   std::optional<double> rmax_gflops = {});

/// The result file (python/beff/result, benchmark "b_eff").
Json to_json(const Plan& plan, const Result& result);

/// One sample as a line of the journal.
Json to_json(const Sample& sample);

/// `--plan=json`: the fields of the result file that describe the plan, patterns without figures,
/// with `definition`, `repetitions`, `loops` and `expected_s`.
Json plan_json(const Plan& plan);

/// Environment, analysis tables, criteria, cautions and the value: what a reader looks at first.
std::string summary_text(const Plan& plan, const Result& result);

/// The readable protocol: the plan, with what bounds the run, the bandwidth of all loops, and the
/// summary.
std::string protocol_text(const Plan& plan, const Result& result);

/// The papers' last line, stamped when the result is not valid:
/// `b_eff = 9709.549 MB/s = 37.928 * 256 PEs with 128 MB/PE on …`.
std::string last_line(const Plan& plan, const Result& result);

}  // namespace beff::b_eff
