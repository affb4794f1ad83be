#include "core/pairs/result.hpp"

#include <fmt/format.h>

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

Finding look_at_passes(const Run& run) {
  const auto whole = std::ranges::count_if(run.measured.map.passes, [&](const auto& pass) {
    return std::cmp_equal(pass.size(), run.plan.rounds_of_pass);
  });
  return {.numbers = {{NumberKind::kAtLeast, Plan::kFewestPasses, static_cast<double>(whole),
                       Unit::kCount, "passes"}},
          .rule = "every pass and retest ended",
          .met = run.measured.complete};
}

constexpr std::array kRules{
    Rule<Run>{"complete", look_at_passes},
    Rule<Run>{"build", [](const Run& run) { return look_at_build(run.environment); }},
    Rule<Run>{"machine", [](const Run& run) { return look_at_machine(run.environment); }},
};

std::vector<std::string> cautions_of(const Plan& plan, const Environment& environment,
                                     const Measurement& measured) {
  std::vector<std::string> texts;
  if (measured.stopped_by) {
    texts.push_back(fmt::format("the run was stopped early: {}", *measured.stopped_by));
  }
  if (measured.complete && plan.bisection) {
    const auto steps = measured.network.bisection.steps();
    if (const auto planned = bisection_steps(plan); steps < planned) {
      texts.push_back(
          fmt::format("the bisection ended after its time with {} of {}; the least of "
                      "all may be lower; give it more by --bisection-time",
                      steps, counted(planned, "step")));
    }
  }
  if (const auto& error = measured.network.matrix.check.first_error) {
    texts.push_back("wrong data received: " + *error);
  }
  add_core_cautions(texts, environment);
  add_wires_cautions(texts, measured.wires, environment.hosts);
  return texts;
}

}  // namespace

Result make_result(const Plan& plan, ResultHead head, Measurement measurement) {
  Result result{std::move(head), std::move(measurement)};
  result.criteria = judged_by(kRules, Run{plan, result.environment, result.measurement});
  if (plan.matrix) {
    result.criteria.push_back({look_at_data(result.measurement.network.matrix.check), "data"});
  }
  add_device_criterion(result.criteria, result.environment);
  result.cautions = cautions_of(plan, result.environment, result.measurement);
  return result;
}

}  // namespace beff::pairs
