#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "core/b_eff/measure.hpp"
#include "core/b_eff/protocol.hpp"
#include "core/record/json.hpp"
#include "engines/b_eff/mpi_machine.hpp"
#include "engines/b_eff/options.hpp"
#include "engines/common/agree.hpp"
#include "engines/common/communicator.hpp"
#include "engines/common/fail.hpp"
#include "engines/common/in_time.hpp"
#include "engines/common/load_watch.hpp"
#include "engines/common/recorder.hpp"
#include "engines/common/stop_signal.hpp"
#include "engines/common/wire_watch.hpp"

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

/// The benchmark with its watchdog, and rank 0's report however it ends.
class Benchmark {
 public:
  /// All arguments must outlive the object.
  Benchmark(const Plan& plan, const Nodes& nodes, const Options& options, const RunContext& context,
            const RunStart& start, Watchdog& watchdog)
      : plan_(&plan),
        nodes_(&nodes),
        options_(&options),
        context_(&context),
        start_(&start),
        watchdog_(&watchdog) {
    measured_.data_check.enabled = options.check_data;
    watchdog.wait_for_rank_0("set-up: opening the journal");
    check_on_rank_0([&] {
      recorder_ = std::make_unique<Recorder>(
          options,
          Recorder::Extent{
              .benchmark = "b_eff", .samples = planned_loops(plan), .steps = planned_loops(plan)},
          to_json(plan, result(start.environment, {})));
    });
    watchdog.enter("set-up: making the message buffers");
    try {
      machine_ = std::make_unique<MpiMachine>(plan, nodes, options.time_limit, options.check_data,
                                              watchdog);
    } catch (const std::bad_alloc&) {
      watchdog.abort(
          fmt::format("cannot have two message buffers of {}; give less with --memory-per-process",
                      format_size(MessageBuffers::bytes_for(plan.lmax()))));
    }
    watchdog.leaves(leaves_journal(options));
    watchdog.describe_by(where_is);
    hang_report_.emplace(watchdog, [this](const std::string& why) { return give_up(why); });
  }

  /// Returns the exit code, the same on all ranks. Samples are kept on rank 0 only; data
  /// check, completeness and reason to stop are the same everywhere.
  int measure_and_report() {
    const WireWatch watch(*nodes_);
    const LoadWatch load_watch(*nodes_);
    const Stop stop =
        measure(*plan_, world_rank(), *machine_, measured_, recorder_ ? hooks() : Hooks{});
    note_counters(watch, load_watch);
    agree_on_check();
    hang_report_.reset();
    note_elapsed(measured_);
    if (!measured_.complete) {
      measured_.stopped_by = why_stopped(stop == Stop::kSignal, options_->time_limit);
    }
    return end_run(*watchdog_, ending(measured_));
  }

 private:
  /// Reads what the ports have carried, and what load there was, since the watches began.
  void note_counters(const WireWatch& watch, const LoadWatch& load_watch) {
    WatchedStage step(*watchdog_, {.name = "reading counters", .processes = plan_->processes});
    auto wires = watch.carried(machine_->sent());
    auto loads = load_watch.since();
    auto leaving = machine_->most_leaving();
    step.done();
    measured_.wires = std::move(wires);
    measured_.loads = std::move(loads);
    measured_.leaving_messages = std::move(leaving);
  }

  void agree_on_check() {
    WatchedStage step(*watchdog_,
                      {.name = "adding up what was checked", .processes = plan_->processes});
    watchdog_->arrived();
    const auto check = agreed(measured_.data_check);
    step.done();
    measured_.data_check = check;
  }

  [[nodiscard]] Hooks hooks() {
    return {.recorded =
                [this](const Sample& sample) { recorder_->append({{"sample", to_json(sample)}}); },
            .repetition_ended = [this](std::span<const Sample> samples) { note_value(samples); },
            .progress =
                [this](std::int64_t done, std::string_view pattern) {
                  recorder_->show(done, fmt::format("{}{}", pattern, so_far_));
                }};
  }

  /// The value of the repetitions so far, for the display and for who follows the journal.
  void note_value(std::span<const Sample> samples) {
    const int repetitions = samples.back().repetition + 1;
    const auto value = condense(*plan_, samples, counts_officially(*plan_)).b_eff.both;
    recorder_->append({{"notes", {{"repetitions", repetitions}, {"b_eff_MBps", or_null(value)}}}});
    if (value) {
      so_far_ = fmt::format("; b_eff so far {:.3f} MB/s, {} of {} repetitions", *value, repetitions,
                            plan_->repetitions);
    }
  }

  void note_elapsed(Measurement& measured) const {
    measured.accounting.elapsed = machine_->elapsed();
  }

  [[nodiscard]] Result result(Environment environment, Measurement measured) const {
    return make_result(*plan_, context_->program, std::move(environment), options_->effective,
                       options_->rmax_gflops, std::move(measured));
  }

  [[nodiscard]] Report report(Measurement measured) {
    recorder_->finish(measured.complete);
    auto found = result(ended(*start_), std::move(measured));
    for (auto& caution : launch_cautions(*nodes_, context_->hints)) {
      found.cautions.push_back(std::move(caution));
    }
    const auto last = last_line(*plan_, found) + "\n";
    return {.result = json_text(to_json(*plan_, found), 1),
            .protocol = protocol_text(*plan_, found, options_->time_limit),
            .shown = options_->quiet ? last : summary_text(*plan_, found) + "\n" + last,
            .valid = found.valid()};
  }

  [[nodiscard]] RunEnd ending(const Measurement& measured) {
    return {.program = "b_eff",
            .options = options_,
            .report = [this, &measured] { return report(measured); },
            .clean_up = {}};
  }

  /// Called in the thread of rank 0's watchdog while MPI hangs, so without any call of MPI.
  int give_up(const std::string& why) {
    auto measured = measured_;
    note_elapsed(measured);
    measured.complete = false;
    measured.stopped_by = why;
    say_in_time(fmt::format("b_eff: {}; what was measured so far is reported", why));
    return end_run_in_haste(ending(measured));
  }

  const Plan* plan_;
  const Nodes* nodes_;
  const Options* options_;
  const RunContext* context_;
  const RunStart* start_;
  Watchdog* watchdog_;
  std::unique_ptr<Recorder> recorder_;  ///< on rank 0
  std::string so_far_;                  ///< the value, for the display
  Measurement measured_;
  std::unique_ptr<MpiMachine> machine_;
  std::optional<HangReport> hang_report_;  ///< the last: it refers to all else
};

int measure_and_report(const MpiSession& session, Watchdog& watchdog, const Options& asked,
                       const RunContext& context) {
  const Nodes nodes;
  check_processes(asked, session.size(), nodes.count());
  Options options = asked;
  const auto start = start_run(session, watchdog, nodes, options, context);
  const Plan plan = planned(options, session.size(), start.environment.memory.per_process);
  check_same_plan(watchdog, plan_json(plan));
  return Benchmark(plan, nodes, options, context, start, watchdog).measure_and_report();
}

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

int carry_out(const MpiSession& session, Watchdog& watchdog, const Options& options,
              const RunContext& context) {
  return options.task == Task::kProbe ? probe(session, watchdog, options, context)
                                      : measure_and_report(session, watchdog, options, context);
}

void print_plan(const Options& options, const RunContext& context, const PlanPlace& place) {
  check_processes(options, place.processes, place.nodes);
  const Plan plan = planned(options, place.processes, place.memory.per_process);
  show_plan(options, context, place, plan_text(plan, place.memory.source, options.time_limit),
            plan_json(plan));
}

}  // namespace beff::b_eff
