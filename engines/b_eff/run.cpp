#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <array>
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
#include "engines/b_eff/options.hpp"
#include "engines/common/mpi/agree.hpp"
#include "engines/common/mpi/handles.hpp"
#include "engines/common/run/run.hpp"
#include "engines/common/watch/fail.hpp"

namespace beff::b_eff {
namespace {

/// Refuses launches that would not measure what was meant; `nodes` is empty without MPI.
void check_processes(const Options& options, int processes, std::optional<int> nodes) {
  if (processes < 2) {
    throw UsageError(nodes ? "b_eff needs at least two processes, for example mpiexec -n 2 b_eff"
                           : "--processes 1: b_eff needs at least two processes");
  }
  if (options.nodes && nodes && *options.nodes != *nodes) {
    throw UsageError(
        fmt::format("--nodes {}: the {} processes run on {}; correct the launch or the option",
                    *options.nodes, processes, counted(*nodes, "node")));
  }
}

std::vector<std::string> launch_cautions(const Nodes& nodes, const LaunchHints& hints) {
  if (hints.nodes && *hints.nodes != nodes.count()) {
    return {fmt::format("the processes run on {}, although {} is {}",
                        counted(nodes.count(), "node"), hints.nodes_variable, *hints.nodes)};
  }
  return {};
}

/// Adds up the counts of all processes and takes over the first error of the lowest rank with one.
DataCheck agreed(DataCheck check) {
  const auto counts = allreduce(std::array{check.messages_checked, check.wrong_messages}, MPI_SUM);
  check.messages_checked = counts[0];
  check.wrong_messages = counts[1];
  if (check.wrong_messages > 0) {
    const auto mine =
        check.first_error
            ? std::optional(fmt::format("rank {}, {}", world_rank(), *check.first_error))
            : std::nullopt;
    check.first_error = first_text(MPI_COMM_WORLD, mine);
  }
  return check;
}

class BeffRun : public Run {
 public:
  /// See Run. Throws UsageError on all ranks.
  BeffRun(const MpiSession& session, Watchdog& watchdog, Options& options,
          const RunContext& context)
      : Run(session, watchdog, options, context), options_(&options) {
    check_processes(options, session.size(), nodes().count());
  }

 private:
  Json plan() override {
    plan_ = planned(*options_, session().size(), environment().memory.per_process);
    measured_.data_check.enabled = options_->check_data;
    return plan_json(*plan_);
  }

  [[nodiscard]] Recorder::Extent extent() const override {
    return {.samples = planned_loops(*plan_), .steps = planned_loops(*plan_)};
  }

  void make_machine() override {
    machine_ = std::make_unique<MpiMachine>(*plan_, nodes(), options_->time_limit,
                                            options_->check_data, watchdog());
  }

  [[nodiscard]] std::string no_memory() const override {
    return fmt::format("cannot have two message buffers of {}; give less with --memory-per-process",
                       format_size(MessageBuffers::bytes_for(plan_->lmax())));
  }

  /// Samples are kept on rank 0 only; data check, completeness and reason to stop are the same
  /// everywhere.
  Stop measure() override {
    return b_eff::measure(*plan_, session().rank(), *machine_, measured_,
                          recorder() != nullptr ? hooks() : Hooks{});
  }

  [[nodiscard]] Hooks hooks() {
    return {.recorded =
                [this](const Sample& sample) { recorder()->append({{"sample", to_json(sample)}}); },
            .repetition_ended = [this](std::span<const Sample> samples) { note_value(samples); },
            .progress =
                [this](std::int64_t done, std::string_view pattern) {
                  recorder()->show(done, fmt::format("{}{}", pattern, so_far_));
                }};
  }

  /// The value of the repetitions so far, for the display and for who follows the journal.
  void note_value(std::span<const Sample> samples) {
    const int repetitions = samples.back().repetition + 1;
    const auto value = condense(*plan_, samples, counts_officially(*plan_)).b_eff.both;
    recorder()->append({{"notes", {{"repetitions", repetitions}, {"b_eff_MBps", or_null(value)}}}});
    if (value) {
      so_far_ = fmt::format("; b_eff so far {:.3f} MB/s, {} of {} repetitions", *value, repetitions,
                            plan_->repetitions);
    }
  }

  [[nodiscard]] std::optional<SentBytes> sent() const override { return machine_->sent(); }

  void agree() override {
    auto step = watchdog().step("adding up what was checked");
    watchdog().note_arrival();
    auto leaving = machine_->most_leaving();
    const auto check = agreed(measured_.data_check);
    step.done();
    measured_.leaving_messages = std::move(leaving);
    measured_.data_check = check;
  }

  void describe(bool /*hangs*/) override { measured_.accounting.elapsed = machine_->elapsed(); }

  [[nodiscard]] Report report(ResultHead head) const override {
    auto found = make_result(*plan_, std::move(head), options_->rmax_gflops, measured_);
    for (auto& caution : launch_cautions(nodes(), context().hints)) {
      found.cautions.push_back(std::move(caution));
    }
    const auto last = last_line(*plan_, found) + "\n";
    return {.result = to_json(*plan_, found),
            .protocol = protocol_text(*plan_, found, options_->time_limit),
            .shown = options_->quiet ? last : summary_text(*plan_, found) + "\n" + last,
            .valid = found.valid()};
  }

  RunRecord& record() override { return measured_; }

  const Options* options_;
  std::optional<Plan> plan_;
  std::string so_far_;  ///< the value, for the display
  Measurement measured_;
  std::unique_ptr<MpiMachine> machine_;
};

int probe(const MpiSession& session, Watchdog& watchdog, const Options& options,
          const RunContext& context) {
  const Nodes nodes;
  const auto environment =
      gather_environment(session, watchdog, nodes, options.memory, context.command_line);
  const auto found = std::max(2, session.size());
  const Plan plan = planned(options, found, environment.memory.per_process);
  if (session.rank() != 0) {
    return kExitValid;
  }
  Measurement nothing_wrong;
  nothing_wrong.complete = true;
  Json reasons = Json::array();
  if (session.size() < 2) {
    reasons.push_back("b_eff needs at least two processes");
  }
  for (const auto& criterion : validity_criteria(plan, environment, nothing_wrong)) {
    if (!criterion.met) {
      reasons.push_back(fmt::format("{}: required {}, found {}", criterion.name,
                                    criterion.required(), criterion.found()));
    }
  }
  auto notes = cautions(plan, environment, nothing_wrong);
  for (auto& caution : launch_cautions(nodes, context.hints)) {
    notes.push_back(std::move(caution));
  }
  const Json document = {{"program", to_json(context.program)},
                         {"environment", to_json(environment)},
                         {"lmax_bytes", plan.lmax()},
                         {"cautions", notes},
                         {"would_not_be_valid", reasons}};
  fmt::print("{}\n", json_text(document, 1));
  return kExitValid;
}

}  // namespace

int carry_out(const MpiSession& session, Watchdog& watchdog, const Options& asked,
              const RunContext& context) {
  if (asked.task == Task::kProbe) {
    return probe(session, watchdog, asked, context);
  }
  Options options = asked;
  return BeffRun(session, watchdog, options, context).carry_out();
}

void print_plan(const Options& options, const RunContext& context, const PlanPlace& place) {
  check_processes(options, place.processes, place.nodes);
  const Plan plan = planned(options, place.processes, place.memory.per_process);
  show_plan(options, context, place, plan_text(plan, place.memory.source, options.time_limit),
            plan_json(plan));
}

}  // namespace beff::b_eff
