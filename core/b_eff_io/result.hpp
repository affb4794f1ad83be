#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/b_eff_io/figures.hpp"
#include "core/b_eff_io/plan.hpp"
#include "core/b_eff_io/sample.hpp"
#include "core/record/result.hpp"

namespace beff::b_eff_io {

/// A run with everything that a report needs.
struct Result : ResultHead {
  Measurement measurement;
  Figures figures{};
  std::string medium{};  ///< one sentence: is the read bandwidth that of a disk or of memory?

  /// The value by the plan's release.
  [[nodiscard]] const Figure& value(const Plan& plan) const { return figures[plan.release]; }
  /// How long writing all memory would take at that value; empty where one of them is not known.
  [[nodiscard]] std::optional<double> memory_write_minutes(const Plan& plan) const;
};

/// The rules a result must meet to be compared: docs/reference/definitions-b_eff_io.md.
[[nodiscard]] std::vector<Criterion> validity_criteria(const Plan& plan,
                                                       const Environment& environment,
                                                       const Measurement& measurement,
                                                       const Figures& figures);

/// What a reader should know although it does not make the result invalid.
[[nodiscard]] std::vector<std::string> cautions(const Plan& plan, const Environment& environment,
                                                const Measurement& measurement,
                                                const Figures& figures);

/// Derives figures, criteria and cautions from a measurement.
[[nodiscard]] Result make_result(const Plan& plan, ResultHead head, Measurement measurement);

/// The result file (schema/result.schema.json, benchmark "b_eff_io").
[[nodiscard]] Json to_json(const Plan& plan, const Result& result);

/// Lines of the journal: one pattern, one type.
[[nodiscard]] Json to_json(const Plan& plan, const Sample& sample);
[[nodiscard]] Json to_json(const TypeSample& type);
/// What the schedule found out, without what follows from the samples.
[[nodiscard]] Json to_json(const PartitionNotes& notes);

/// The fields of the result file that describe the plan; partitions without figures.
[[nodiscard]] Json plan_fields(const Plan& plan);

}  // namespace beff::b_eff_io
