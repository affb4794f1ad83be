#include "core/b_eff/result.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/record/columns.hpp"
#include "core/record/json.hpp"

namespace beff::b_eff {
namespace {

constexpr std::tuple kSampleColumns{
    Column{"pattern", &Sample::pattern},
    Column{"size", &Sample::size},
    Column{"method", &Sample::method},
    Column{"repetition", &Sample::repetition},
    Column{"loop_length", &Sample::loop_length},
    Column{"time_max_s", &Sample::time_max},
    Column{"time_avg_s", &Sample::time_avg},
    Column{"time_min_s", &Sample::time_min},
    Column{"slowest_rank", &Sample::slowest_rank},
};

Json figures_json(const FigureBySize& by_size) { return json_list(by_size, or_null<double>); }

Json method_names(const Plan& plan) {
  return json_list(plan.methods, [](Method method) { return row(method).name; });
}

Json pattern_fields(const Plan& plan, const Pattern& pattern) {
  return {{"id", pattern.id},
          {"name", pattern.name},
          {"group", to_string(pattern.group)},
          {"averaged", pattern.enters(plan.definition)},
          {"processes", pattern.graph->processes()},
          {"messages", pattern.graph->messages()},
          {"ring_sizes", runs_text(pattern.graph->ring_sizes())},
          {"seed", or_null(pattern.seed)}};
}

Json patterns_json(const Plan& plan, const Figures& figures, const Measurement& measurement) {
  const auto repetitions = whole_repetitions(plan, measurement.samples);
  Json list = Json::array();
  for (std::size_t i = 0; i < plan.patterns.size(); ++i) {
    const auto& pattern = plan.patterns[i];
    const auto& of_pattern = figures.patterns.at(i);
    Json entry = pattern_fields(plan, pattern);
    entry["bandwidth_MBps"] = or_null(of_pattern.average);
    entry["bandwidth_by_size_MBps"] = figures_json(of_pattern.by_size);
    Json by_method = Json::object();
    for (std::size_t m = 0; m < plan.methods.size(); ++m) {
      if (pattern.has_method(plan.methods[m])) {
        by_method[std::string(row(plan.methods[m]).name)] = or_null(of_pattern.by_method.at(m));
      }
    }
    entry["bandwidth_by_method_MBps"] = std::move(by_method);
    entry["latency_us"] = or_null(of_pattern.latency_us);
    entry["repetitions"] = repetitions.at(i);
    const auto& leaving = measurement.leaving_messages;
    entry["leaving_messages"] =
        i < leaving.size() && leaving[i] >= 0 ? Json(leaving[i]) : Json(nullptr);
    if (pattern.has_release_3_6) {
      entry["release_3_6_MBps"] = or_null(average_over_sizes(measurement.release_3_6));
      entry["release_3_6_by_size_MBps"] = figures_json(measurement.release_3_6);
    }
    list.push_back(std::move(entry));
  }
  return list;
}

Json summary_json(const Plan& plan, const Result& result) {
  const auto& figures = result.figures;
  const auto& value = figures.b_eff.both;
  const auto& at_lmax = figures.at_lmax();
  const int n = plan.processes;
  return {{"b_eff_MBps", or_null(value)},
          {"b_eff_per_process_MBps", or_null(per_process(value, n))},
          {"rings_MBps", or_null(figures.b_eff.first)},
          {"random_MBps", or_null(figures.b_eff.random)},
          {"lmax_bytes", plan.lmax()},
          {"at_lmax_MBps", or_null(at_lmax.both)},
          {"at_lmax_per_process_MBps", or_null(per_process(at_lmax.both, n))},
          {"rings_at_lmax_MBps", or_null(at_lmax.first)},
          {"rings_at_lmax_per_process_MBps", or_null(per_process(at_lmax.first, n))},
          {"latency_us", or_null(figures.latency_us)},
          {"rings_latency_us", or_null(figures.rings_latency_us)},
          {"pingpong_latency_us", or_null(figures.pingpong_latency_us)},
          {"pingpong_MBps", or_null(figures.pingpong_MBps)},
          {"total_memory_exchange_s", or_null(result.total_memory_exchange_s(plan))},
          {"rmax_gflops", or_null(result.rmax_gflops)},
          {"balance_bytes_per_flop", or_null(result.balance_bytes_per_flop())}};
}

Json accounting_json(const Accounting& accounting) {
  return {{"elapsed_s", accounting.elapsed},
          {"loops_s", accounting.loops},
          {"latency_s", accounting.latency},
          {"warm_up_s", accounting.warm_up},
          {"preparation_and_checks_s", accounting.preparation_and_checks},
          {"unaccounted_s", accounting.unaccounted()}};
}

}  // namespace

Json to_json(const Sample& sample) { return row_json(sample, kSampleColumns); }

Json plan_json(const Plan& plan) {
  const auto fields = [&](const Pattern& pattern) { return pattern_fields(plan, pattern); };
  return {{"definition", to_string(plan.definition)},
          {"repetitions", plan.repetitions},
          {"loops", planned_loops(plan)},
          {"expected_s", expected_time(plan)},
          {"message_sizes_bytes", plan.sizes},
          {"methods", method_names(plan)},
          {"patterns", json_list(plan.patterns, fields)}};
}

Json to_json(const Plan& plan, const Result& result) {
  const auto& samples = result.measurement.samples;
  auto json = head_json(result, result.measurement, to_string(plan.definition));
  json.update(
      Json{{"summary", summary_json(plan, result)},
           {"message_sizes_bytes", plan.sizes},
           {"methods", method_names(plan)},
           {"patterns", patterns_json(plan, result.figures, result.measurement)},
           {"data_check", to_json(result.measurement.data_check)},
           {"accounting", accounting_json(result.measurement.accounting)},
           {"digest", {{"algorithm", "crc32"}, {"samples", digest_of(samples, kSampleColumns)}}},
           {"samples", table_json(samples, kSampleColumns)}});
  return json;
}

Figure Result::total_memory_exchange_s(const Plan& plan) const {
  const auto& value = figures.b_eff.both;
  return value && !row(plan.definition).memory_per_process
             ? Figure(static_cast<double>(environment.memory.total) / (*value * kBytesPerMB))
             : std::nullopt;
}

Figure Result::balance_bytes_per_flop() const {
  const auto& value = figures.b_eff.both;
  return value && rmax_gflops ? Figure(*value * kBytesPerMB / (*rmax_gflops * kFlopsPerGflops))
                              : std::nullopt;
}

Result make_result(const Plan& plan, ResultHead head, Measurement measurement,
                   std::optional<double> rmax_gflops) {
  Result result{std::move(head), rmax_gflops, std::move(measurement)};
  result.figures = condense(plan, result.measurement.samples, counts_officially(plan));
  result.criteria = validity_criteria(plan, result.environment, result.measurement);
  result.cautions = cautions(plan, result.environment, result.measurement);
  return result;
}

namespace {

/// What the rules look at.
struct Run {
  const Plan& plan;
  const Environment& environment;
  const Measurement& measurement;
};

Criterion judge_loops(const Run& run) {
  const auto& [plan, environment, measurement] = run;
  auto loops = exactly(planned_loops(plan), std::ssize(measurement.samples));
  loops.met = measurement.complete;
  return loops;
}

Criterion judge_methods(const Run& run) {
  return exactly(kOfficialMethods, std::ranges::count_if(run.plan.methods, [](Method method) {
                   return row(method).official;
                 }));
}

Criterion judge_repetitions(const Run& run) {
  const auto& [plan, environment, measurement] = run;
  return exactly(
      row(plan.definition).any_repetitions ? plan.repetitions : kRepetitions,
      measurement.complete ? plan.repetitions : fewest_repetitions(plan, measurement.samples));
}

Criterion judge_loop_time(const Run& run) {
  const auto& time = run.plan.loop_time;
  return {.required = row(run.plan.definition).shortest_loop,
          .found = time.shortest,
          .unit = Unit::kSeconds,
          .met = time.is_of(run.plan.definition)};
}

constexpr std::array kRules{
    Rule<Run>{"complete", judge_loops},
    Rule<Run>{"patterns",
              [](const Run& run) {
                return exactly(run.plan.existing_patterns, std::ssize(run.plan.patterns));
              }},
    Rule<Run>{
        "message sizes",
        [](const Run& run) { return exactly(kMessageSizes, std::ssize(run.plan.size_indices)); }},
    Rule<Run>{"methods", judge_methods},
    Rule<Run>{"repetitions", judge_repetitions},
    Rule<Run>{"loop time", judge_loop_time},
    Rule<Run>{"data", [](const Run& run) { return judge_data(run.measurement.data_check); }},
    Rule<Run>{"build", [](const Run& run) { return judge_build(run.environment); }},
    Rule<Run>{"machine", [](const Run& run) { return judge_machine(run.environment); }},
};

Seconds iteration_time(const Sample& sample) {
  return sample.time_max / static_cast<double>(sample.loop_length);
}

std::tuple<int, int, int> cell_of(const Sample& sample) {
  return {sample.pattern, sample.size, sample.method};
}

/// Loops of several iterations that took more than twice the longest time allowed, where they are
/// many. A size that has a quarter of them, no iteration of which took twice what it did in the
/// best repetition, is one where the speed jumps; what others take lies here and there, or in one
/// repetition.
void add_long_loops(std::vector<Statement>& cautions, const Plan& plan,
                    const std::vector<Sample>& samples) {
  constexpr double kManyOfAll = 0.02;
  constexpr std::int64_t kJumpsAtMost = 4;
  std::map<std::tuple<int, int, int>, Seconds> best;
  for (const auto& sample : samples) {
    auto& least = best.emplace(cell_of(sample), iteration_time(sample)).first->second;
    least = std::min(least, iteration_time(sample));
  }
  std::int64_t count = 0;
  std::map<int, std::int64_t> steady_by_size;
  for (const auto& sample : samples) {
    if (sample.loop_length > 1 && sample.time_max > 2 * plan.loop_time.longest()) {
      const bool steady = iteration_time(sample) < 2 * best.at(cell_of(sample));
      steady_by_size[sample.size] += steady ? 1 : 0;
      ++count;
    }
  }
  if (!row(plan.definition).timed_lengths ||
      static_cast<double>(count) <= kManyOfAll * static_cast<double>(samples.size())) {
    return;
  }
  std::vector<std::int64_t> all;
  std::vector<std::int64_t> jumps;
  for (const auto& [size, steady] : steady_by_size) {
    all.push_back(plan.sizes.at(static_cast<std::size_t>(size)));
    if (kJumpsAtMost * steady >= count) {
      jumps.push_back(all.back());
    }
  }
  cautions.push_back(
      {jumps.empty() ? "scattered long loops" : "long loops at a jump",
       {{"long", count}, {"loops", std::ssize(samples)}, {"sizes", jumps.empty() ? all : jumps}}});
}

}  // namespace

std::vector<Criterion> validity_criteria(const Plan& plan, const Environment& environment,
                                         const Measurement& measurement) {
  auto criteria = judged_by(kRules, Run{plan, environment, measurement});
  add_device_criteria(criteria, environment);
  return criteria;
}

std::vector<Statement> cautions(const Plan& plan, const Environment& environment,
                                const Measurement& measurement) {
  constexpr double kLargestUnaccounted = 0.05;
  std::vector<Statement> statements;
  if (measurement.stopped_by) {
    statements.push_back({"stopped between repetitions",
                          {{"by", *measurement.stopped_by},
                           {"planned", plan.repetitions},
                           {"fewest", fewest_repetitions(plan, measurement.samples)}}});
  }
  if (plan.random_order == RandomOrder::kRelease3_6) {
    statements.push_back({"random order 3.6"});
  }
  if (const auto& error = measurement.data_check.first_error) {
    statements.push_back({"wrong data", {{"first", *error}}});
  }
  for (const auto& [method, why] : plan.not_measured) {
    statements.push_back(
        {"method not measured", {{"method", std::string(row(method).name)}, {"why", why}}});
  }
  add_host_cautions(statements, environment);
  const auto& accounting = measurement.accounting;
  const double share = accounting.elapsed > 0 ? accounting.unaccounted() / accounting.elapsed : 0;
  if (share > kLargestUnaccounted) {
    statements.push_back(
        {"unexplained time",
         {{"explained_percent", 100 * (1 - share)}, {"elapsed_s", accounting.elapsed}}});
  }
  add_long_loops(statements, plan, measurement.samples);
  if (environment.binding.unbound_processes > 0 && environment.cores_per_node_min > 1 &&
      !environment.oversubscribed && !environment.simulated) {
    statements.push_back({"unbound processes",
                          {{"unbound", environment.binding.unbound_processes},
                           {"processes", environment.processes}}});
  }
  if (plan.memory_per_process / kMemoryToLmax > kLmaxBound) {
    statements.push_back({"bounded L_max"});
  }
  return statements;
}

}  // namespace beff::b_eff
