#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>
#include <nanobind/trampoline.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <utility>

#include "bindings.hpp"
#include "core/b_eff/graphs.hpp"
#include "core/b_eff/loops.hpp"
#include "core/b_eff/measure.hpp"
#include "core/b_eff/plan.hpp"
#include "core/b_eff/result.hpp"
#include "core/b_eff/shapes.hpp"
#include "core/record/json.hpp"

namespace nb = nanobind;
using namespace beff::b_eff;  // NOLINT(google-build-using-namespace)
using beff::Bytes;
using beff::Seconds;

namespace {

using Peers = std::vector<std::pair<int, int>>;
using SizeAndTime = std::tuple<Bytes, Seconds>;

IterationTime iteration_time(const SizeAndTime& value) {
  return {.size = std::get<0>(value), .seconds = std::get<1>(value)};
}

Peers peers(const Graph& graph, int position) {
  Peers list;
  const auto exchange = graph.exchange(position);
  for (const auto& step : exchange.steps()) {
    list.emplace_back(step.send_to, step.receive_from);
  }
  return list;
}

beff::Environment small_environment(const Plan& plan, Seconds wall) {
  beff::Environment environment;
  environment.wall = wall;
  environment.started_at = "2026-01-02T03:04:05Z";
  environment.finished_at = "2026-01-02T03:05:05Z";
  environment.uname = {
      .sysname = "Linux", .nodename = "fake", .release = "1", .version = "#1", .machine = "x86_64"};
  environment.hosts = {{.name = "fake", .processes = plan.processes}};
  environment.placement.assign(static_cast<std::size_t>(plan.processes), 0);
  environment.processes = plan.processes;
  environment.cores_per_node_min = plan.processes;
  environment.memory = {.per_process = plan.memory_per_process,
                        .total = plan.memory_per_process * plan.processes,
                        .source = "given"};
  environment.mpi = {.library = "scripted", .standard = "0.0", .thread_level = "none"};
  environment.cpu.model = "scripted";
  environment.topology = "none";
  environment.build_type = "Release";
  environment.command_line = {"b_eff"};
  return environment;
}

/// A machine that is a script in Python.
class ScriptedMachine : public Machine {
 public:
  NB_TRAMPOLINE(Machine, 1);

  LoopReport time_loop(const Loop& loop) override { NB_OVERRIDE_PURE(time_loop, loop); }
};

void bind_machine(nb::module_& module) {
  nb::class_<Loop>(module, "Loop").def_ro("latency", &Loop::latency);
  // One process speaks for all: its sum of times is their mean.
  nb::class_<LoopReport>(module, "LoopReport")
      .def(
          "__init__",
          [](LoopReport* report, Seconds longest, Seconds mean, Seconds shortest, int slowest_rank,
             double least_rate, bool stops, Seconds warm_up, Seconds preparation_and_check,
             std::int64_t checked, std::int64_t wrong) {
            new (report) LoopReport{{.time_max = longest,
                                     .time_min = shortest,
                                     .time_sum = mean,
                                     .least_rate = least_rate,
                                     .participants = 1,
                                     .slowest_rank = slowest_rank,
                                     .stop = stops ? beff::Stop::kSignal : beff::Stop::kNo},
                                    warm_up,
                                    preparation_and_check,
                                    {.messages_checked = checked, .wrong_messages = wrong}};
          },
          nb::arg("time_max"), nb::arg("time_sum"), nb::arg("time_min"),
          nb::arg("slowest_rank") = 0, nb::arg("least_rate") = 0.0, nb::arg("stops") = false,
          nb::arg("warm_up") = 0.0, nb::arg("preparation_and_check") = 0.0, nb::arg("checked") = 0,
          nb::arg("wrong") = 0)
      .def_prop_rw(
          "stops", [](const LoopReport& report) { return report.stop != beff::Stop::kNo; },
          [](LoopReport& report, bool stops) {
            report.stop = stops ? beff::Stop::kSignal : beff::Stop::kNo;
          });
  nb::class_<Machine, ScriptedMachine>(module, "Machine").def(nb::init<>());
}

/// A whole benchmark without MPI and clock, on a machine that is a script.
class ScriptedBenchmark {
 public:
  explicit ScriptedBenchmark(const PlanRequest& request)
      : plan_(std::make_unique<Plan>(make_plan(request))) {}

  /// What `loop` stands for.
  [[nodiscard]] nb::dict order(const Loop& loop) const {
    const auto& pattern = plan_->patterns.at(loop.pattern);
    nb::dict fields;
    fields["pattern"] = pattern.id;
    fields["messages"] = pattern.graph->messages();
    fields["method"] = std::string(row(plan_->methods.at(loop.method)).name);
    fields["size_bytes"] = plan_->sizes.at(static_cast<std::size_t>(loop.size));
    fields["repetition"] = loop.repetition;
    fields["loop_length"] = loop.length;
    fields["warm_up"] = loop.warm_up;
    fields["latency"] = loop.latency;
    return fields;
  }

  void measure(Machine& machine) {
    beff::b_eff::measure(*plan_, 0, machine, measurement_);
    if (!measurement_.complete) {
      measurement_.stopped_by = "the script ended";
    }
    auto& accounting = measurement_.accounting;
    accounting.elapsed = accounting.loops + accounting.latency + accounting.warm_up +
                         accounting.preparation_and_checks;
  }

  [[nodiscard]] std::string result_json() const { return to_json(*plan_, result()).dump(); }
  [[nodiscard]] std::string protocol() const { return protocol_text(*plan_, result()); }
  [[nodiscard]] int processes() const { return plan_->processes; }
  [[nodiscard]] std::int64_t planned() const { return planned_loops(*plan_); }

 private:
  [[nodiscard]] Result result() const {
    auto measurement = measurement_;
    auto environment = small_environment(*plan_, measurement.accounting.elapsed);
    return make_result(*plan_,
                       {.program = {.name = "b_eff", .version = "0", .git_commit = "unknown"},
                        .environment = std::move(environment),
                        .options = std::make_shared<const beff::Json>(options())},
                       std::move(measurement));
  }

  [[nodiscard]] beff::Json options() const {
    const bool all_sizes = plan_->size_indices.size() == kMessageSizes;
    return {{"seed", plan_->seed.value_or(0)},
            {"sizes", all_sizes ? beff::Json(nullptr) : beff::Json(plan_->size_indices)},
            {"repetitions", plan_->repetitions},
            {"loop_time_s", plan_->loop_time.shortest}};
  }

  std::unique_ptr<Plan> plan_;
  Measurement measurement_;
};

std::unique_ptr<ScriptedBenchmark> scripted_benchmark(
    int processes, Bytes memory_per_process, std::uint64_t seed, const std::string& definition,
    const std::vector<std::string>& methods, const std::vector<int>& pattern_ids,
    const std::vector<int>& size_indices, int repetitions) {
  PlanRequest request{.processes = processes,
                      .memory_per_process = memory_per_process,
                      .seed = seed,
                      .definition = definition == "3.1" ? Definition::k3_1 : Definition::k3_5,
                      .methods = {},
                      .pattern_ids = pattern_ids,
                      .size_indices = size_indices,
                      .repetitions = repetitions,
                      .loop_time = {}};
  for (const auto& name : methods) {
    request.methods.push_back(method_named(name).value());
  }
  return std::make_unique<ScriptedBenchmark>(request);
}

}  // namespace

void bind_b_eff(nb::module_& module) {
  module.def("largest_message", &largest_message);
  module.def("message_sizes", &message_sizes);
  module.def("ring_sizes",
             [](int processes, int standard) { return RingLayout(processes, standard).sizes(); });
  module.def("ring_of", [](int processes, int standard, int position) {
    const auto ring = RingLayout(processes, standard).ring_of(position);
    return std::pair(ring.first, ring.size);
  });
  module.def("standard_ring_size", &standard_ring_size);
  module.def("pattern_grid", &pattern_grid);
  module.def("balanced_extents", &balanced_extents);
  module.def("fixed_loop_length", &fixed_loop_length);
  module.def(
      "next_loop_length",
      [](Seconds shortest, const std::optional<SizeAndTime>& before_last, const SizeAndTime& last,
         Bytes next_size) {
        return next_loop_length(
            {.shortest = shortest},
            before_last ? std::optional(iteration_time(*before_last)) : std::nullopt,
            iteration_time(last), next_size);
      },
      nb::arg("shortest"), nb::arg("before_last").none(), nb::arg("last"), nb::arg("next_size"));

  nb::class_<Pattern>(module, "Pattern")
      .def_ro("id", &Pattern::id)
      .def_ro("name", &Pattern::name)
      .def_ro("seed", &Pattern::seed)
      .def_prop_ro("group", [](const Pattern& p) { return std::string(to_string(p.group)); })
      .def_prop_ro("processes", [](const Pattern& p) { return p.graph->processes(); })
      .def_prop_ro("messages", [](const Pattern& p) { return p.graph->messages(); })
      .def_prop_ro("ring_sizes", [](const Pattern& p) { return p.graph->ring_sizes(); })
      .def_prop_ro("extents", [](const Pattern& p) { return p.graph->cartesian_shape().extents; })
      .def_prop_ro("concurrent_senders",
                   [](const Pattern& p) { return p.graph->concurrent_senders(); })
      .def("peers", [](const Pattern& p, int position) { return peers(*p.graph, position); });
  module.def(
      "make_patterns",
      [](int processes, std::optional<std::uint64_t> seed, bool as_release_3_6) {
        return make_patterns(processes, seed,
                             as_release_3_6 ? RandomOrder::kRelease3_6 : RandomOrder::kUniform);
      },
      nb::arg("processes"), nb::arg("seed").none(), nb::arg("as_release_3_6") = false);
  module.def("method_names", [] {
    std::vector<std::string> names;
    for (const auto& method : kMethods) {
      names.emplace_back(method.name);
    }
    return names;
  });

  bind_machine(module);
  nb::class_<ScriptedBenchmark>(module, "ScriptedBenchmark")
      .def("order", &ScriptedBenchmark::order)
      .def("measure", &ScriptedBenchmark::measure)
      .def("result_json", &ScriptedBenchmark::result_json)
      .def("protocol", &ScriptedBenchmark::protocol)
      .def_prop_ro("processes", &ScriptedBenchmark::processes)
      .def_prop_ro("planned_loops", &ScriptedBenchmark::planned);
  module.def("scripted_benchmark", &scripted_benchmark, nb::arg("processes"),
             nb::arg("memory_per_process") = Bytes{512} * 1024 * 1024, nb::arg("seed") = 1,
             nb::arg("definition") = "3.5", nb::arg("methods") = std::vector<std::string>{},
             nb::arg("pattern_ids") = std::vector<int>{},
             nb::arg("size_indices") = std::vector<int>{}, nb::arg("repetitions") = 3);
}
