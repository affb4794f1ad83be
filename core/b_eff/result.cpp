#include "core/b_eff/result.hpp"

#include <utility>

namespace beff::b_eff {

Figure Result::total_memory_exchange_s() const {
  const auto& value = figures.b_eff.both;
  return value ? Figure(static_cast<double>(environment.memory.total) / (*value * kBytesPerMB))
               : std::nullopt;
}

Figure Result::balance_bytes_per_flop() const {
  const auto& value = figures.b_eff.both;
  return value && rmax_gflops ? Figure(*value * kBytesPerMB / (*rmax_gflops * kFlopsPerGflops))
                              : std::nullopt;
}

Result make_result(const Plan& plan, ResultHead head, std::optional<double> rmax_gflops,
                   Measurement measurement) {
  Result result{std::move(head), rmax_gflops, std::move(measurement)};
  result.figures = condense(plan, result.measurement.samples, counts_officially(plan));
  result.criteria = validity_criteria(plan, result.environment, result.measurement);
  result.cautions = cautions(plan, result.environment, result.measurement);
  return result;
}

}  // namespace beff::b_eff
