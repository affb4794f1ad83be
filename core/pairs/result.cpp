#include "core/pairs/result.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace beff::pairs {
namespace {

/// What a criterion is judged by.
struct Run {
  const Plan& plan;
  const Environment& environment;
  const Measurement& measured;
};

Criterion look_at_passes(const Run& run) {
  const auto whole = std::ranges::count_if(run.measured.map.passes, [&](const auto& pass) {
    return std::cmp_equal(pass.size(), run.plan.rounds_of_pass);
  });
  return {.required = Plan::kFewestPasses,
          .found = static_cast<double>(whole),
          .met = run.measured.complete};
}

constexpr std::array kRules{
    Rule<Run>{"passes", look_at_passes},
    Rule<Run>{"build", [](const Run& run) { return look_at_build(run.environment); }},
    Rule<Run>{"machine", [](const Run& run) { return look_at_machine(run.environment); }},
};

std::vector<Statement> cautions_of(const Plan& plan, const Environment& environment,
                                   const Measurement& measured) {
  std::vector<Statement> found;
  if (measured.stopped_by) {
    found.push_back({"stopped", {{"by", *measured.stopped_by}}});
  }
  if (measured.complete && plan.bisection) {
    const auto steps = measured.network.bisection.steps();
    if (const auto planned = bisection_steps(plan); steps < planned) {
      found.push_back({"short bisection", {{"steps", steps}, {"planned", planned}}});
    }
  }
  if (const auto& error = measured.network.matrix.check.first_error) {
    found.push_back({"wrong data", {{"first", *error}}});
  }
  add_core_cautions(found, environment);
  add_wires_cautions(found, measured.wires, environment.hosts);
  return found;
}

}  // namespace

Result make_result(const Plan& plan, ResultHead head, Measurement measurement) {
  Result result{std::move(head), std::move(measurement)};
  result.criteria = judged_by(kRules, Run{plan, result.environment, result.measurement});
  if (plan.matrix) {
    result.criteria.push_back(look_at_data(result.measurement.network.matrix.check));
    result.criteria.back().code = "data";
  }
  add_device_criterion(result.criteria, result.environment);
  result.cautions = cautions_of(plan, result.environment, result.measurement);
  return result;
}

}  // namespace beff::pairs
