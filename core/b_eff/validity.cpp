#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

#include "core/b_eff/result.hpp"
#include "core/units/quantity_text.hpp"

namespace beff::b_eff {
namespace {

/// What the rules look at.
struct Run {
  const Plan& plan;
  const Environment& environment;
  const Measurement& measurement;
};

Finding count(std::int64_t required, std::int64_t found) {
  return {.numbers = {exactly(required, found, "")}, .met = found == required};
}

Finding look_at_loops(const Run& run) {
  const auto& [plan, environment, measurement] = run;
  return {.numbers = {exactly(planned_loops(plan), std::ssize(measurement.samples), "loops")},
          .rule = "every planned loop measured",
          .met = measurement.complete};
}

Finding look_at_patterns(const Run& run) {
  return count(run.plan.existing_patterns, std::ssize(run.plan.patterns));
}

Finding look_at_sizes(const Run& run) {
  return count(kMessageSizes, std::ssize(run.plan.size_indices));
}

Finding look_at_methods(const Run& run) {
  std::vector<std::string_view> names;
  for (const Method method : run.plan.methods) {
    if (row(method).official) {
      names.push_back(row(method).name);
    }
  }
  return {.rule = "sendrecv, alltoallv, nonblocking",
          .remark = names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")),
          .met = names.size() == kOfficialMethods};
}

Finding look_at_repetitions(const Run& run) {
  const auto& [plan, environment, measurement] = run;
  return count(kRepetitions, measurement.complete ? plan.repetitions
                                                  : fewest_repetitions(plan, measurement.samples));
}

Finding look_at_loop_time(const Run& run) {
  const auto& time = run.plan.loop_time;
  return {.numbers = {{NumberKind::kExactly, LoopTime::kOfficialShortest, time.shortest,
                       Unit::kSeconds, ""}},
          .met = time.is_official()};
}

constexpr std::array kRules{
    Rule<Run>{"complete", look_at_loops},
    Rule<Run>{"patterns", look_at_patterns},
    Rule<Run>{"message sizes", look_at_sizes},
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

std::vector<std::string> cautions(const Plan& plan, const Environment& environment,
                                  const Measurement& measurement) {
  constexpr double kLargestUnaccounted = 0.05;
  constexpr double kManyDisturbed = 0.02;
  std::vector<std::string> texts;
  if (measurement.stopped_by) {
    const int fewest = fewest_repetitions(plan, measurement.samples);
    const int most = std::ranges::max(whole_repetitions(plan, measurement.samples));
    texts.push_back(
        fmt::format("the run was stopped early: {}; of {} repetitions the patterns have {}{}",
                    *measurement.stopped_by, plan.repetitions, fewest,
                    most > fewest ? fmt::format(" or {}", most) : ""));
  }
  if (plan.random_order == RandomOrder::kRelease3_6) {
    texts.emplace_back(
        "the random rings are drawn as in release 3.6, where ranks that follow each other stay "
        "neighbours more often than by chance");
  }
  if (measurement.data_check.first_error) {
    texts.push_back("wrong data received: " + *measurement.data_check.first_error);
  }
  add_core_cautions(texts, environment);
  const double share = unaccounted_share(measurement.accounting);
  if (share > kLargestUnaccounted) {
    texts.push_back(
        fmt::format("the loops and the harness's own work explain only {:.1f} % of the elapsed {}; "
                    "the rest went into barriers and waiting, so the processors were not dedicated "
                    "to this run or the loops were very short",
                    100 * (1 - share), format_duration(measurement.accounting.elapsed)));
  }
  const auto disturbed = disturbed_loops(plan, measurement);
  if (static_cast<double>(disturbed) >
      kManyDisturbed * static_cast<double>(measurement.samples.size())) {
    texts.push_back(
        fmt::format("{} of {} loops took more than twice the time they were planned for; something "
                    "else was running, or the speed jumps between message sizes",
                    disturbed, measurement.samples.size()));
  }
  if (environment.binding.unbound_processes > 0 && environment.cores_per_node_min > 1 &&
      !environment.oversubscribed && !environment.simulated) {
    texts.push_back(fmt::format(
        "{} of {} processes are not bound to a core, so the system may move them while they "
        "measure",
        environment.binding.unbound_processes, environment.processes));
  }
  add_wires_cautions(texts, measurement.wires, environment.hosts);
  if (plan.memory_per_process / kMemoryToLmax > kLmaxBound) {
    texts.emplace_back("L_max is bounded to 128 MiB (memory per process / 128 would be larger)");
  }
  return texts;
}

}  // namespace beff::b_eff
