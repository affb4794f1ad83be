// The core of b_eff.
#include "core/b_eff/measure.hpp"

#include <memory>

#include "core/b_eff/graphs.hpp"
#include "entry.hpp"

namespace beff::b_eff {

void from_json(const Json& name, Definition& definition) {
  definition =
      std::ranges::find(kDefinitions, name.get<std::string>(), &DefinitionRow::name)->definition;
}
void from_json(const Json& name, Method& method) {
  method = method_named(name.get<std::string>()).value();
}
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(PlanRequest, processes, memory_per_process, seed,
                                                definition, methods, pattern_ids, size_indices,
                                                repetitions, shortest_loop)

/// One process speaks for all: its sum of times is their mean.
void from_json(const Json& fields, LoopReport& report) {
  report.time_max = fields.at("time_max");
  report.time_sum = fields.at("time_sum");
  report.time_min = fields.at("time_min");
  report.slowest_rank = fields.value("slowest_rank", 0);
  report.least_rate = fields.value("least_rate", 0.0);
  report.participants = 1;
  report.stop = fields.value("stops", false) ? Stop::kSignal : Stop::kNo;
  report.warm_up = fields.value("warm_up", 0.0);
  report.preparation_and_check = fields.value("preparation_and_check", 0.0);
  report.check.messages_checked = fields.value("checked", 0);
  report.check.wrong_messages = fields.value("wrong", 0);
}

namespace {

using SizeAndTime = std::pair<Bytes, Seconds>;

/// Of each process whom it sends to and receives from in each step.
std::vector<std::vector<std::pair<int, int>>> peers(const Graph& graph, int processes) {
  std::vector<std::vector<std::pair<int, int>>> all(static_cast<std::size_t>(processes));
  for (int position = 0; position < processes; ++position) {
    const auto exchange = graph.exchange(position);
    for (const auto& step : exchange.steps()) {
      all[static_cast<std::size_t>(position)].emplace_back(step.send_to, step.receive_from);
    }
  }
  return all;
}

Json patterns(int processes, const std::optional<std::uint64_t>& seed, bool as_release_3_6) {
  const auto order = as_release_3_6 ? RandomOrder::kRelease3_6 : RandomOrder::kUniform;
  return json_list(make_patterns(processes, seed, order), [&](const Pattern& pattern) {
    return Json{{"id", pattern.id},
                {"name", pattern.name},
                {"seed", or_null(pattern.seed)},
                {"group", std::string(to_string(pattern.group))},
                {"processes", pattern.graph->processes()},
                {"messages", pattern.graph->messages()},
                {"concurrent_senders", pattern.graph->concurrent_senders()},
                {"peers", peers(*pattern.graph, processes)}};
  });
}

/// A machine that is a script, which is asked for the report of each loop.
class ScriptedMachine : public Machine {
 public:
  explicit ScriptedMachine(const Plan& plan) : plan_(&plan) {}

  LoopReport time_loop(const Loop& loop) override {
    const auto& pattern = plan_->patterns.at(loop.pattern);
    return testing::ask({{"pattern", pattern.id},
                         {"messages", pattern.graph->messages()},
                         {"method", row(plan_->methods.at(loop.method)).name},
                         {"size_bytes", plan_->sizes.at(static_cast<std::size_t>(loop.size))},
                         {"repetition", loop.repetition},
                         {"loop_length", loop.length},
                         {"warm_up", loop.warm_up},
                         {"latency", loop.latency}})
        .get<LoopReport>();
  }

 private:
  const Plan* plan_;
};

/// A whole benchmark without MPI and clock: what it records and prints.
Json run(const PlanRequest& request) {
  const auto plan = make_plan(request);
  ScriptedMachine machine(plan);
  Measurement measurement;
  measure(plan, 0, machine, measurement);
  if (!measurement.complete) {
    measurement.stopped_by = "the script ended";
  }
  auto& accounting = measurement.accounting;
  accounting.elapsed = accounting.loops + accounting.latency + accounting.warm_up +
                       accounting.preparation_and_checks;
  const bool all_sizes = plan.size_indices.size() == kMessageSizes;
  const Json options = {{"seed", plan.seed.value_or(0)},
                        {"sizes", all_sizes ? Json(nullptr) : Json(plan.size_indices)},
                        {"repetitions", plan.repetitions},
                        {"loop_time_s", plan.loop_time.shortest}};
  const auto result =
      make_result(plan,
                  {.program = {.name = "b_eff", .version = "0", .git_commit = "unknown"},
                   .environment = testing::scripted_environment(
                       "b_eff", plan.processes, 1, plan.memory_per_process, accounting.elapsed),
                   .options = std::make_shared<const Json>(options)},
                  std::move(measurement));
  return {{"planned_loops", planned_loops(plan)},
          {"result", to_json(plan, result)},
          {"protocol", protocol_text(plan, result)}};
}

std::optional<IterationTime> iteration_time(const std::optional<SizeAndTime>& value) {
  return value ? std::optional(IterationTime{.size = value->first, .seconds = value->second})
               : std::nullopt;
}

}  // namespace
}  // namespace beff::b_eff

beff::testing::Computations beff::testing::computations_of_b_eff() {
  using namespace b_eff;  // NOLINT(google-build-using-namespace)
  return {
      {"next_loop_length", over([](Seconds shortest, const std::optional<SizeAndTime>& before_last,
                                   const SizeAndTime& last, Bytes next_size) {
         return next_loop_length({.shortest = shortest}, iteration_time(before_last),
                                 iteration_time(last).value(), next_size);
       })},
      {"make_patterns", over(&patterns)},
      {"method_names",
       over([] { return json_list(kMethods, [](const MethodRow& m) { return m.name; }); })},
      {"run", over(&run)},
  };
}
