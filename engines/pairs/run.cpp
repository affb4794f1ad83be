#include <fmt/format.h>

#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "core/pairs/measure.hpp"
#include "core/pairs/protocol.hpp"
#include "core/record/json.hpp"
#include "engines/common/agree.hpp"
#include "engines/common/communicator.hpp"
#include "engines/common/fail.hpp"
#include "engines/common/in_time.hpp"
#include "engines/common/load_watch.hpp"
#include "engines/common/recorder.hpp"
#include "engines/common/stop_signal.hpp"
#include "engines/common/wire_watch.hpp"
#include "engines/pairs/mpi_machine.hpp"
#include "engines/pairs/options.hpp"

namespace beff::pairs {
namespace {

void check_processes(int processes, const char* way_out) {
  if (processes < 2) {
    throw UsageError(fmt::format("b_pairs needs at least two processes; {}", way_out));
  }
}

Result result_of(const Plan& plan, const Options& options, const RunContext& context,
                 Environment environment, Measurement measured) {
  return make_result(plan, context.program, std::move(environment), options.effective,
                     std::move(measured));
}

/// The run with its watchdog, and rank 0's report however it ends.
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
    watchdog.wait_for_rank_0("set-up: opening the journal");
    check_on_rank_0([&] {
      constexpr std::int64_t kMilliseconds = 1000;
      const auto fewest = std::int64_t{Plan::kFewestPasses} * plan.rounds_of_pass;
      recorder_ = std::make_unique<Recorder>(
          options,
          Recorder::Extent{.benchmark = "b_pairs",
                           .samples = fewest,
                           .steps = static_cast<std::int64_t>(plan.duration * kMilliseconds) + 1},
          to_json(plan, result_of(plan, options, context, start.environment, {})));
    });
    watchdog.enter("set-up: making the message buffers");
    try {
      machine_ = std::make_unique<MpiMachine>(plan, nodes, options.time_limit, watchdog);
    } catch (const std::bad_alloc&) {
      watchdog.abort("has no memory for the message buffers; start fewer processes per node");
    }
    watchdog.leaves(leaves_journal(options));
    watchdog.describe_by(where_is);
    hang_report_.emplace(watchdog, [this](const std::string& why) { return give_up(why); });
  }

  /// Returns the exit code, the same on all ranks.
  int measure_and_report() {
    const WireWatch watch(*nodes_);
    const LoadWatch load_watch(*nodes_);
    const Stop stop =
        measure(*plan_, world_rank(), *machine_, measured_, recorder_ ? hooks() : Hooks{});
    note_counters(watch, load_watch);
    hang_report_.reset();
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
    step.done();
    measured_.wires = std::move(wires);
    measured_.loads = std::move(loads);
  }

  [[nodiscard]] Hooks hooks() {
    constexpr double kMilliseconds = 1e3;
    return {.roofed =
                [this](const Roofs& roofs) {
                  recorder_->append({{"roofs", to_json(roofs, start_->environment.hosts)}});
                },
            .met =
                [this](const Place& place, const RoundTimes& times) {
                  recorder_->append({{"round", to_json(place, times)}});
                },
            .retested =
                [this](const Retest& retest) { recorder_->append({{"retest", to_json(retest)}}); },
            .progress =
                [this](Seconds elapsed) {
                  const auto most = static_cast<double>(plan_->duration);
                  recorder_->show(
                      static_cast<std::int64_t>(std::min(elapsed, most) * kMilliseconds), "pairs");
                }};
  }

  [[nodiscard]] Report report(Measurement measured) {
    recorder_->finish(measured.complete);
    const auto found = result_of(*plan_, *options_, *context_, ended(*start_), std::move(measured));
    const auto last = last_line(*plan_, found) + "\n";
    return {.result = json_text(to_json(*plan_, found), 1),
            .protocol = protocol_text(*plan_, found, options_->time_limit),
            .shown = options_->quiet ? last : summary_text(*plan_, found) + "\n" + last,
            .valid = found.valid()};
  }

  [[nodiscard]] RunEnd ending(const Measurement& measured) {
    return {.program = "b_pairs",
            .options = options_,
            .report = [this, &measured] { return report(measured); },
            .clean_up = {}};
  }

  /// Called in the thread of rank 0's watchdog while MPI hangs, so without any call of MPI.
  int give_up(const std::string& why) {
    auto measured = measured_;
    measured.complete = false;
    measured.stopped_by = why;
    measured.map.no_answer = machine_->no_answer(watchdog_->missing());
    say_in_time(fmt::format("b_pairs: {}; what was measured so far is reported", why));
    return end_run_in_haste(ending(measured));
  }

  const Plan* plan_;
  const Nodes* nodes_;
  const Options* options_;
  const RunContext* context_;
  const RunStart* start_;
  Watchdog* watchdog_;
  std::unique_ptr<Recorder> recorder_;  ///< on rank 0
  Measurement measured_;
  std::unique_ptr<MpiMachine> machine_;
  std::optional<HangReport> hang_report_;  ///< the last: it refers to all else
};

}  // namespace

int carry_out(const MpiSession& session, Watchdog& watchdog, const Options& asked,
              const RunContext& context) {
  check_processes(session.size(), "start at least two, for example mpiexec -n 2 b_pairs");
  const Nodes nodes;
  Options options = asked;
  const auto start = start_run(session, watchdog, nodes, options, context);
  const Plan plan =
      planned(options, session.size(), nodes.count(), start.environment.memory.per_process);
  check_same_plan(watchdog, plan_fields(plan));
  return Benchmark(plan, nodes, options, context, start, watchdog).measure_and_report();
}

void print_plan(const Options& options, const RunContext& context, const PlanPlace& place) {
  check_processes(place.processes, "give at least 2 by --processes");
  const Plan plan =
      planned(options, place.processes, place.nodes.value_or(1), place.memory.per_process);
  show_plan(options, context, place, plan_text(plan, options.time_limit),
            {{"plan", plan_fields(plan)}});
}

}  // namespace beff::pairs
