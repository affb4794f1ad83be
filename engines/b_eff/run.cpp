#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/b_eff/measure.hpp"
#include "core/b_eff/result.hpp"
#include "core/record/json.hpp"
#include "engines/b_eff/mpi_machine.hpp"
#include "engines/common/memory/chosen_memory.hpp"
#include "engines/common/mpi/agree.hpp"
#include "engines/common/mpi/clock.hpp"
#include "engines/common/mpi/handles.hpp"
#include "engines/common/run/program.hpp"
#include "engines/common/run/run.hpp"
#include "engines/common/watch/end.hpp"

namespace beff::b_eff {
namespace {

/// Says where the processes run on other than the nodes of the job.
Result with_launch_cautions(Result result, const Nodes& nodes, const LaunchHints& hints) {
  if (hints.nodes && *hints.nodes != nodes.count()) {
    result.cautions.push_back({"other nodes",
                               {{"nodes", nodes.count()},
                                {"variable", hints.nodes_variable},
                                {"expected", *hints.nodes}}});
  }
  if (hints.components > 1 && nodes.count() <= hints.nodes.value_or(nodes.count())) {
    result.cautions.push_back({"heterogeneous job", {{"components", hints.components}}});
  }
  return result;
}

class BeffRun : public BenchmarkRun<Options, Plan, MpiMachine, Hooks, Result> {
 public:
  using BenchmarkRun::BenchmarkRun;

 private:
  Plan new_plan() override {
    measured().data_check.enabled = !options().unchecked;
    return planned(options(), resources());
  }

  [[nodiscard]] std::unique_ptr<MpiMachine> new_machine() override {
    return std::make_unique<MpiMachine>(plan(), nodes(), memory(), options().time_limit,
                                        !options().unchecked, watchdog());
  }

  [[nodiscard]] std::string no_memory() const override {
    return fmt::format("cannot have two message buffers of {}; give less with --memory-per-process",
                       format_size(MessageBuffers::bytes_for(plan().lmax())));
  }

  [[nodiscard]] Recorder::Extent extent() const override {
    return {.samples = planned_loops(plan()), .steps = planned_loops(plan())};
  }

  [[nodiscard]] std::string try_messages(bool on_device, const Begins& begins) override {
    const auto is_beside = [](Method method) { return !row(method).official; };
    if (!on_device && std::ranges::none_of(plan().methods, is_beside)) {
      return {};
    }
    const Seconds begin = run_time();
    auto failed =
        machine().try_methods(on_device, [&](Method method) { begins(row(method).name); });
    measured().accounting.preparation_and_checks += run_time() - begin;
    std::string reason;
    for (auto& [method, why] : failed) {
      const auto name = row(method).name;
      reason = fmt::format("{}: {}", name, why);
      if (row(method).official) {
        return reason;
      }
      if (recorder() != nullptr) {
        recorder()->append({{"not_measured", {{"method", name}, {"why", why}}}});
      }
      plan().not_measured.push_back({.method = method, .why = std::move(why)});
    }
    return planned_loops(plan()) > 0 ? std::string() : "nothing can be measured: " + reason;
  }

  /// Samples are kept on rank 0 only; data check, completeness and reason to stop are the same
  /// everywhere.
  Stop go_through_plan() override {
    return measure(plan(), session().rank(), machine(), measured(), hooks());
  }

  Hooks recording() override {
    return {.recorded =
                [this](const Sample& sample) { recorder()->append({{"sample", to_json(sample)}}); },
            .repetition_ended = [this](std::span<const Sample> samples) { note_value(samples); },
            .progress =
                [this](std::int64_t done, Bytes size, const Pattern& pattern) {
                  recorder()->show(done, fmt::format("size {} byte, pattern {} ({}){}", size,
                                                     pattern.id, pattern.name, so_far_));
                }};
  }

  /// The value of the repetitions so far, for the display and for who follows the journal.
  void note_value(std::span<const Sample> samples) {
    const int repetitions = samples.back().repetition + 1;
    const auto value = condense(plan(), samples, counts_officially(plan())).b_eff.both;
    recorder()->append({{"notes", {{"repetitions", repetitions}, {"b_eff_MBps", or_null(value)}}}});
    if (value) {
      so_far_ = fmt::format("; b_eff so far {:.3f} MB/s, {} of {} repetitions", *value, repetitions,
                            plan().repetitions);
    }
  }

  [[nodiscard]] std::optional<SentBytes> sent() const override { return machine().sent(); }

  void agree() override {
    auto step = watchdog().step("adding up what was checked");
    watchdog().note_arrival();
    auto leaving = machine().most_leaving();
    const auto check = of_all_processes(measured().data_check);
    step.done();
    measured().leaving_messages = std::move(leaving);
    measured().data_check = check;
  }

  void describe(bool /*hangs*/) override { measured().accounting.elapsed = machine().elapsed(); }

  [[nodiscard]] Result result(ResultHead head) const override {
    return with_launch_cautions(
        make_result(plan(), std::move(head), measured(), options().rmax_gflops), nodes(),
        context().hints);
  }

  std::string so_far_;  ///< the value, for the display
};

int probe(const MpiSession& session, Watchdog& watchdog, const Options& options,
          const RunContext& context) {
  const Nodes nodes;
  const auto chosen = choose_memory(options.buffers, nodes, watchdog);
  auto environment =
      gather_environment(session, watchdog, nodes, options.memory, chosen, context.command_line);
  const Plan plan = planned(options, {.processes = std::max(2, session.size()),
                                      .nodes = std::nullopt,
                                      .memory = environment.memory});
  if (session.rank() != 0) {
    return kExitValid;
  }
  Measurement nothing_wrong;
  nothing_wrong.complete = true;
  const auto result = with_launch_cautions(
      make_result(
          plan, {.program = context.program, .environment = std::move(environment), .options = {}},
          std::move(nothing_wrong)),
      nodes, context.hints);
  Json unmet = Json::array();
  for (const auto& criterion : result.criteria) {
    if (!criterion.met) {
      unmet.push_back(to_json(criterion));
    }
  }
  const Json document = {
      {"program", to_json(result.program)},
      {"environment", to_json(result.environment)},
      {"lmax_bytes", plan.lmax()},
      {"cautions", json_list(result.cautions, [](const Statement& s) { return to_json(s); })},
      {"would_not_be_valid", unmet}};
  fmt::print("{}\n", json_text(document, 1));
  return kExitValid;
}

/// Measures and reports, or prints as JSON on rank 0 the environment and what would make a run here
/// not valid; returns the exit code, the same on all ranks. Throws UsageError and RunError on all
/// ranks alike.
int carry_out(const MpiSession& session, Watchdog& watchdog, Options& options,
              const RunContext& context) {
  return options.task == Task::kProbe ? probe(session, watchdog, options, context)
                                      : BeffRun(session, watchdog, options, context).carry_out();
}

/// Prints the plan of these options with these resources. Throws UsageError.
void print_plan(const Options& options, const RunContext& context, const Resources& resources) {
  const Plan plan = planned(options, resources);
  show_plan(options, context, resources,
            plan_text(plan, resources.memory.source, options.time_limit), plan_json(plan));
}

}  // namespace
}  // namespace beff::b_eff

int main(int argc, char** argv) {
  using namespace beff::b_eff;  // NOLINT(google-build-using-namespace)
  return beff::run_program("b_eff", argc, argv, parse_options, print_plan, carry_out);
}
