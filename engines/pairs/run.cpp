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
      abort_job("memory for the message buffers ran out; start fewer processes per node");
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
    write_and_show(*watchdog_, *options_, [this] { return write(measured_); });
    return from_rank_0(code_);
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

  /// Writes the results, and returns what is to be shown. Makes no MPI call.
  std::string write(Measurement measured) {
    recorder_->finish(measured.complete);
    const auto found = result_of(*plan_, *options_, *context_, ended(*start_), std::move(measured));
    write_results(*options_, protocol_text(*plan_, found, options_->time_limit),
                  to_json(*plan_, found));
    code_ = found.valid() ? kExitValid : kExitNotValid;
    const auto last = last_line(*plan_, found) + "\n";
    return options_->quiet ? last : summary_text(*plan_, found) + "\n" + last;
  }

  /// Called in the thread of rank 0's watchdog while MPI hangs, so without any call of MPI.
  int give_up(const std::string& why) {
    auto measured = measured_;
    measured.complete = false;
    measured.stopped_by = why;
    measured.map.no_answer = machine_->no_answer(watchdog_->missing());
    return report_hang("b_pairs", why, [&] {
      show(*options_, write(std::move(measured)));
      return code_;
    });
  }

  const Plan* plan_;
  const Nodes* nodes_;
  const Options* options_;
  const RunContext* context_;
  const RunStart* start_;
  Watchdog* watchdog_;
  int code_ = kExitFailed;
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
