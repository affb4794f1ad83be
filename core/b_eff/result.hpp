#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/b_eff/figures.hpp"
#include "core/b_eff/plan.hpp"
#include "core/record/result.hpp"

namespace beff::b_eff {

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

  /// Time in which the total memory is communicated at b_eff.
  [[nodiscard]] Figure total_memory_exchange_s() const;
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

/// The result file (python/beff/model, benchmark "b_eff").
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
