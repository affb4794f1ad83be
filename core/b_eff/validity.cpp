#include "core/b_eff/validity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "core/units/quantity_text.hpp"

namespace beff::b_eff {
namespace {

std::string official_methods_found(const Plan& plan) {
  std::string names;
  for (const Method method : plan.methods) {
    if (row(method).official) {
      names += (names.empty() ? "" : ", ") + std::string(row(method).name);
    }
  }
  return names.empty() ? "none" : names;
}

Criterion count_criterion(const std::string& name, std::int64_t required, std::int64_t found) {
  return {name, {exactly(required, found, "")}, "", "", found == required};
}

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
  const auto& check = measurement.data_check;
  const auto official =
      std::ranges::count_if(plan.methods, [](Method m) { return row(m).official; });
  const int repetitions =
      measurement.complete ? plan.repetitions : fewest_repetitions(plan, measurement.samples);
  return {
      {"complete",
       {exactly(planned_loops(plan), std::ssize(measurement.samples), "loops")},
       "every planned loop measured",
       "",
       measurement.complete},
      count_criterion("patterns", plan.existing_patterns, std::ssize(plan.patterns)),
      count_criterion("message sizes", kMessageSizes, std::ssize(plan.size_indices)),
      {"methods",
       {},
       "sendrecv, alltoallv, nonblocking",
       official_methods_found(plan),
       official == kOfficialMethods},
      count_criterion("repetitions", kRepetitions, repetitions),
      {"loop time",
       {{NumberKind::kExactly, LoopTime::kOfficialShortest, plan.loop_time.shortest, Unit::kSeconds,
         ""}},
       "",
       "",
       plan.loop_time.is_official()},
      {"data",
       {exactly(0, check.enabled ? std::optional(check.wrong_messages) : std::nullopt,
                "wrong messages"),
        told(check.messages_checked, "messages checked")},
       "first and last byte of the received messages checked",
       "",
       check.enabled && check.wrong_messages == 0},
      build_criterion(environment.build_type),
      machine_criterion(environment.simulated),
  };
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
  if (measurement.data_check.first_error) {
    texts.push_back("wrong data received: " + *measurement.data_check.first_error);
  }
  if (environment.oversubscribed) {
    texts.push_back(fmt::format(
        "oversubscribed: some node runs more processes than it has usable cores ({}); waiting "
        "processes take turns on a core, so short messages measure the scheduler",
        environment.cores_per_node_min));
  }
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
  if (const int sets = environment.binding.shared_cores; sets > 0 && !environment.oversubscribed) {
    texts.push_back(
        fmt::format("more processes than CPUs are bound to {}", counted(sets, "CPU set")));
  }
  if (environment.binding.unbound_processes > 0 && environment.cores_per_node_min > 1 &&
      !environment.oversubscribed && !environment.simulated) {
    texts.push_back(fmt::format(
        "{} of {} processes are not bound to a core, so the system may move them while they "
        "measure",
        environment.binding.unbound_processes, environment.processes));
  }
  if (plan.memory_per_process / kMemoryToLmax > kLmaxBound) {
    texts.emplace_back("L_max is bounded to 128 MiB (memory per process / 128 would be larger)");
  }
  return texts;
}

}  // namespace beff::b_eff
