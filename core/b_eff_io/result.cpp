#include "core/b_eff_io/result.hpp"

#include <utility>

#include "core/b_eff_io/medium.hpp"

namespace beff::b_eff_io {

std::optional<double> Result::memory_write_minutes(const Plan& plan) const {
  const auto memory = static_cast<double>(environment.memory.total);
  const auto& speed = value(plan);
  return speed && memory > 0 ? std::optional(memory / (*speed * kBytesPerMB) / kSecondsPerMinute)
                             : std::nullopt;
}

Result make_result(const Plan& plan, ResultHead head, Measurement measurement) {
  Result result{std::move(head), std::move(measurement)};
  result.figures = condense(plan, result.measurement);
  result.criteria = validity_criteria(plan, result.environment, result.measurement, result.figures);
  result.cautions = cautions(plan, result.environment, result.measurement, result.figures);
  result.medium = medium_sentence(result.measurement);
  return result;
}

}  // namespace beff::b_eff_io
