#include <algorithm>
#include <array>
#include <iterator>

#include "core/b_eff/result.hpp"

namespace beff::b_eff {
namespace {

/// What the rules look at.
struct Run {
  const Plan& plan;
  const Environment& environment;
  const Measurement& measurement;
};

Criterion look_at_loops(const Run& run) {
  const auto& [plan, environment, measurement] = run;
  auto loops = exactly(planned_loops(plan), std::ssize(measurement.samples));
  loops.met = measurement.complete;
  return loops;
}

Criterion look_at_methods(const Run& run) {
  return exactly(kOfficialMethods, std::ranges::count_if(run.plan.methods, [](Method method) {
                   return row(method).official;
                 }));
}

Criterion look_at_repetitions(const Run& run) {
  const auto& [plan, environment, measurement] = run;
  return exactly(kRepetitions, measurement.complete
                                   ? plan.repetitions
                                   : fewest_repetitions(plan, measurement.samples));
}

Criterion look_at_loop_time(const Run& run) {
  const auto& time = run.plan.loop_time;
  return {.required = LoopTime::kOfficialShortest,
          .found = time.shortest,
          .unit = Unit::kSeconds,
          .met = time.is_official()};
}

constexpr std::array kRules{
    Rule<Run>{"complete", look_at_loops},
    Rule<Run>{"patterns",
              [](const Run& run) {
                return exactly(run.plan.existing_patterns, std::ssize(run.plan.patterns));
              }},
    Rule<Run>{
        "message sizes",
        [](const Run& run) { return exactly(kMessageSizes, std::ssize(run.plan.size_indices)); }},
    Rule<Run>{"methods", look_at_methods},
    Rule<Run>{"repetitions", look_at_repetitions},
    Rule<Run>{"loop time", look_at_loop_time},
    Rule<Run>{"data", [](const Run& run) { return look_at_data(run.measurement.data_check); }},
    Rule<Run>{"build", [](const Run& run) { return look_at_build(run.environment); }},
    Rule<Run>{"machine", [](const Run& run) { return look_at_machine(run.environment); }},
};

/// Share of the elapsed time that is neither loops nor the harness's own known work.
double unaccounted_share(const Accounting& accounting) {
  return accounting.elapsed > 0 ? accounting.unaccounted() / accounting.elapsed : 0;
}

/// Loops of several iterations that took more than twice the longest time allowed: disturbed.
std::int64_t disturbed_loops(const Plan& plan, const Measurement& measurement) {
  if (plan.definition == Definition::k3_1) {
    return 0;
  }
  const Seconds disturbed = 2 * plan.loop_time.longest();
  return std::ranges::count_if(measurement.samples, [&](const Sample& sample) {
    return sample.loop_length > 1 && sample.time_max > disturbed;
  });
}

}  // namespace

std::vector<Criterion> validity_criteria(const Plan& plan, const Environment& environment,
                                         const Measurement& measurement) {
  auto criteria = judged_by(kRules, Run{plan, environment, measurement});
  add_device_criterion(criteria, environment);
  return criteria;
}

std::vector<Statement> cautions(const Plan& plan, const Environment& environment,
                                const Measurement& measurement) {
  constexpr double kLargestUnaccounted = 0.05;
  constexpr double kManyDisturbed = 0.02;
  std::vector<Statement> found;
  if (measurement.stopped_by) {
    found.push_back({"stopped between repetitions",
                     {{"by", *measurement.stopped_by},
                      {"planned", plan.repetitions},
                      {"fewest", fewest_repetitions(plan, measurement.samples)}}});
  }
  if (plan.random_order == RandomOrder::kRelease3_6) {
    found.push_back({"random order 3.6"});
  }
  if (const auto& error = measurement.data_check.first_error) {
    found.push_back({"wrong data", {{"first", *error}}});
  }
  add_core_cautions(found, environment);
  const double share = unaccounted_share(measurement.accounting);
  if (share > kLargestUnaccounted) {
    found.push_back({"unexplained time",
                     {{"explained_percent", 100 * (1 - share)},
                      {"elapsed_s", measurement.accounting.elapsed}}});
  }
  const auto disturbed = disturbed_loops(plan, measurement);
  const auto loops = std::ssize(measurement.samples);
  if (static_cast<double>(disturbed) > kManyDisturbed * static_cast<double>(loops)) {
    found.push_back({"disturbed loops", {{"disturbed", disturbed}, {"loops", loops}}});
  }
  if (environment.binding.unbound_processes > 0 && environment.cores_per_node_min > 1 &&
      !environment.oversubscribed && !environment.simulated) {
    found.push_back({"unbound processes",
                     {{"unbound", environment.binding.unbound_processes},
                      {"processes", environment.processes}}});
  }
  add_wires_cautions(found, measurement.wires, environment.hosts);
  if (plan.memory_per_process / kMemoryToLmax > kLmaxBound) {
    found.push_back({"bounded L_max"});
  }
  return found;
}

}  // namespace beff::b_eff
