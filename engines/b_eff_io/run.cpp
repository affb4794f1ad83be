#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <thread>
#include <utility>

#include "core/b_eff_io/forecast.hpp"
#include "core/b_eff_io/measure.hpp"
#include "core/b_eff_io/protocol.hpp"
#include "core/record/json.hpp"
#include "engines/b_eff_io/mpi_machine.hpp"
#include "engines/b_eff_io/options.hpp"
#include "engines/b_eff_io/setup.hpp"
#include "engines/common/agree.hpp"
#include "engines/common/fail.hpp"
#include "engines/common/in_time.hpp"
#include "engines/common/load_watch.hpp"
#include "engines/common/recorder.hpp"
#include "engines/common/wire_watch.hpp"

namespace beff::b_eff_io {
namespace {

/// Ends the job without the help of MPI's collectives; the other processes only wait for it.
[[noreturn]] void end_job(int rank, int code) {
  constexpr std::chrono::seconds kLongest{60};
  if (rank != 0) {
    std::this_thread::sleep_for(kLongest);
  }
  std::fflush(nullptr);
  MPI_Abort(MPI_COMM_WORLD, code);
  _exit(code);
}

/// The file system may hang.
void remove_in_haste(FileGuard& guard) {
  constexpr Seconds kLongestRemoval = 10;
  const auto left = in_time(kLongestRemoval, [&guard] { return guard.remove(); });
  const auto say_left = [](const std::string& folder) {
    say_in_time("b_eff_io: the files could not be removed: " + folder);
  };
  if (!left) {
    say_left(guard.files().folders().front().string() + " (it takes too long)");
    return;
  }
  std::ranges::for_each(*left, say_left);
}

/// Reports a hang before anything was measured.
int give_up_set_up(const std::string& why, FileGuard& guard) {
  say_in_time(fmt::format("b_eff_io: {}; nothing was measured", why));
  remove_in_haste(guard);
  return kExitFailed;
}

/// The benchmark with its watchdog, and rank 0's report however it ends.
class Benchmark {
 public:
  /// All arguments must outlive the object.
  Benchmark(const Nodes& nodes, const Setup& setup, const Options& options,
            const RunContext& context, const RunStart& start, FileGuard& guard, Watchdog& watchdog)
      : nodes_(&nodes),
        setup_(&setup),
        options_(&options),
        context_(&context),
        start_(&start),
        guard_(&guard),
        watchdog_(&watchdog),
        forecast_(setup.plan) {
    watchdog.set_limit(options.longest_step(setup.plan.time));
    watchdog.wait_for_rank_0("set-up: opening the journal");
    check_on_rank_0([&] {
      Measurement nothing;
      nothing.partitions.resize(setup.plan.partitions.size());
      const auto empty = result(start.environment, std::move(nothing));
      recorder_ =
          std::make_unique<Recorder>(options,
                                     Recorder::Extent{.benchmark = "b_eff_io",
                                                      .samples = planned_samples(setup.plan),
                                                      .steps = kProgressSteps},
                                     to_json(setup.plan, empty));
    });
    watchdog.enter("set-up: making buffers and communicators");
    try {
      machine_ = std::make_unique<MpiMachine>(setup, options, nodes, guard.files(), watchdog);
    } catch (const std::bad_alloc&) {
      watchdog.abort(
          fmt::format("cannot have a buffer for calls of {}; bound them with --max-chunk",
                      format_size(setup.plan.m_part)));
    }
    watchdog.leaves(leaves_journal(options));
    watchdog.describe_by(where_is);
    hang_report_.emplace(watchdog, [this](const std::string& why) { return give_up(why); });
  }

  /// Returns the exit code, the same on all ranks; ends the job where a file cannot be closed.
  int measure_and_report() {
    const WireWatch watch(*nodes_);
    const LoadWatch load_watch(*nodes_);
    const auto ending =
        measure(setup_->plan, rank_, *machine_, measured_, recorder_ ? hooks() : Hooks{});
    if (ending != Ending::kAbort) {
      note_counters(watch, load_watch);
    }
    hang_report_.reset();
    machine_->describe(measured_);
    if (ending == Ending::kAbort) {
      measured_.stopped_by =
          "a file could not be synchronised, and closing it together might never end";
      int code = kExitNotValid;
      {
        const WatchedStage step(*watchdog_, {.name = "reporting a failed sync"});
        code = rank_ == 0 ? end_run_in_haste(ending_in_haste(measured_)) : code;
      }
      watchdog_->stop();
      end_job(rank_, code);
    }
    if (ending == Ending::kStopped) {
      measured_.stopped_by = machine_->stop_reason().value_or("a process asked for it");
    }
    return end_run(*watchdog_, {.program = "b_eff_io",
                                .options = options_,
                                .report = [this] { return report(measured_); },
                                .clean_up = [this] { return remove_files(); }});
  }

 private:
  /// Reads what the ports have carried, and what load there was, since the watches began.
  void note_counters(const WireWatch& watch, const LoadWatch& load_watch) {
    WatchedStage step(*watchdog_,
                      {.name = "reading counters", .processes = setup_->plan.processes});
    auto wires = watch.carried(std::nullopt);
    auto loads = load_watch.since();
    step.done();
    measured_.wires = std::move(wires);
    measured_.loads = std::move(loads);
  }

  [[nodiscard]] Hooks hooks() {
    return {
        .sample = [this](const Sample& sample) { note(sample); },
        .type = [this](const TypeSample& type) { recorder_->append({{"type", to_json(type)}}); },
        .notes =
            [this](std::size_t partition, const PartitionNotes& notes) {
              auto entry = to_json(notes);
              entry["partition"] = partition;
              recorder_->append({{"notes", std::move(entry)}});
            },
        .pattern = [this](const PatternWork& pattern) { show_progress(pattern); }};
  }

  void note(const Sample& sample) {
    forecast_.note(sample);
    recorder_->append(
        {{"sample", to_json(setup_->plan, sample)}, {"to_come_s", forecast_.to_come()}});
    const auto bandwidth = sample.bandwidth_MBps();
    before_ = bandwidth
                  ? fmt::format(" (before: pattern {} {:.1f} MB/s)", sample.pattern, *bandwidth)
                  : std::string();
  }

  /// Before the first call of a pattern: from there on its clock runs.
  void show_progress(const PatternWork& pattern) {
    const double share = recorder_->elapsed() / (recorder_->elapsed() + forecast_.to_come());
    recorder_->show(
        static_cast<std::int64_t>(static_cast<double>(kProgressSteps) * share),
        fmt::format("{} on {} processes, {} pattern {}{}", to_string(pattern.access),
                    pattern.processes, row(pattern.type).name, pattern.pattern, before_));
  }

  [[nodiscard]] Report report(const Measurement& measured) {
    recorder_->finish(measured.complete);
    const auto& plan = setup_->plan;
    const auto found = result(ended(*start_), measured);
    const auto text = protocol_text(plan, found);
    return {.result = json_text(to_json(plan, found), 1),
            .protocol = text,
            .shown = options_->quiet ? last_lines(plan, found) : text,
            .valid = found.valid()};
  }

  /// What could not be removed is in a second version of the result.
  bool remove_files() {
    measured_.leftovers = guard_->remove([this] { watchdog_->went_on(); });
    return !measured_.leftovers.empty();
  }

  /// Where MPI hangs or closing a file might: the file system may hang, too.
  [[nodiscard]] RunEnd ending_in_haste(const Measurement& measured) {
    return {.program = "b_eff_io",
            .options = options_,
            .report = [this, &measured] { return report(measured); },
            .clean_up =
                [this] {
                  remove_in_haste(*guard_);
                  return false;
                }};
  }

  [[nodiscard]] Result result(Environment environment, Measurement measured) const {
    measured.file_system = setup_->file_system;
    return make_result(setup_->plan, context_->program, std::move(environment), options_->effective,
                       std::move(measured));
  }

  /// Called in the thread of rank 0's watchdog while MPI hangs, so without any call of MPI.
  int give_up(const std::string& why) {
    auto measured = measured_;
    machine_->describe(measured);
    measured.complete = false;
    measured.stopped_by = why;
    say_in_time(fmt::format("b_eff_io: {}; what was measured so far is reported", why));
    return end_run_in_haste(ending_in_haste(measured));
  }

  /// Progress is the share of the time that the run will have taken, in steps of a millionth.
  static constexpr std::int64_t kProgressSteps = 1'000'000;

  const Nodes* nodes_;
  const Setup* setup_;
  const Options* options_;
  const RunContext* context_;
  const RunStart* start_;
  FileGuard* guard_;
  Watchdog* watchdog_;
  int rank_ = world_rank();
  std::unique_ptr<Recorder> recorder_;  ///< on rank 0
  Forecast forecast_;
  std::string before_;  ///< bandwidth of the pattern before, for the display
  std::unique_ptr<MpiMachine> machine_;
  Measurement measured_;
  std::optional<HangReport> hang_report_;  ///< the last: it refers to all else
};

}  // namespace

int carry_out(const MpiSession& session, Watchdog& watchdog, const Options& asked,
              const RunContext& context) {
  const Nodes nodes;
  Options options = asked;
  if (!options.hints_file.empty()) {
    watchdog.wait_for_rank_0("set-up: reading the hints");
    options.hints = read_hints(options.hints_file);
  }
  const auto start = start_run(session, watchdog, nodes, options, context);
  const auto run = drawn_number(std::numeric_limits<std::uint64_t>::max());
  RunFiles files(options.folders, options.request.types, run);
  FileGuard guard(files, options.keep_files);
  const HangReport in_set_up(watchdog,
                             [&](const std::string& why) { return give_up_set_up(why, guard); });
  const auto setup = set_up(options, start.environment, files, run, watchdog);
  check_same_plan(watchdog, plan_json(setup.plan, std::nullopt));
  const bool speaks = session.rank() == 0;
  if (setup.pointer != setup.plan.pointer && speaks) {
    say(fmt::format(
        "b_eff_io: shared file pointers do not work here ({}); type 1 uses individual ones, so the "
        "result will not be valid",
        setup.pointer_problem));
  }
  const int code =
      Benchmark(nodes, setup, options, context, start, guard, watchdog).measure_and_report();
  if (options.keep_files && speaks) {
    for (const auto& folder : files.folders()) {
      say("b_eff_io: the files are kept in " + folder.string());
    }
  }
  return code;
}

void print_plan(const Options& asked, const RunContext& context, const PlanPlace& place) {
  Options options = asked;
  if (!options.hints_file.empty()) {
    options.hints = hints_of(options.hints_file);
  }
  const auto plan = planned(options, place);
  const Bytes space = options.folders.all ? free_space(*options.folders.all) : kUnlimited;
  const auto free = space == kUnlimited ? std::nullopt : std::optional(space);
  show_plan(options, context, place, plan_text(plan, free), plan_json(plan, free));
}

}  // namespace beff::b_eff_io
