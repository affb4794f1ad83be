#include "engines/b_eff_io/run.hpp"

#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <limits>
#include <memory>
#include <new>
#include <thread>
#include <utility>

#include "core/b_eff_io/measure.hpp"
#include "core/b_eff_io/protocol.hpp"
#include "core/record/json.hpp"
#include "engines/b_eff_io/mpi_machine.hpp"
#include "engines/b_eff_io/recorder.hpp"
#include "engines/b_eff_io/setup.hpp"
#include "engines/common/agree.hpp"
#include "engines/common/fail.hpp"
#include "engines/common/in_time.hpp"

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

/// The benchmark with its watchdog, and rank 0's report however it ends.
class Benchmark {
 public:
  /// All arguments must outlive the object.
  Benchmark(const Nodes& nodes, const Setup& setup, const Options& options,
            const RunContext& context, const RunStart& start, FileGuard& guard)
      : setup_(&setup), options_(&options), context_(&context), start_(&start), guard_(&guard) {
    check_on_rank_0([&] {
      Measurement nothing;
      nothing.partitions.resize(setup.plan.partitions.size());
      const auto empty = result(start.environment, std::move(nothing));
      recorder_ = std::make_unique<Recorder>(setup.plan, options, to_json(setup.plan, empty));
    });
    watchdog_ = std::make_unique<Watchdog>(
        Watchdog::Settings{.rank = rank_,
                           .limit = options.longest_step(setup.plan.time),
                           .roll = roll_of(options),
                           .describe = where_is,
                           .hung = [this](const std::string& why) { return give_up(why); }});
    try {
      machine_ = std::make_unique<MpiMachine>(setup, options, nodes, guard.files(), *watchdog_);
    } catch (const std::bad_alloc&) {
      abort_job(fmt::format("a buffer for calls of {} cannot be had; bound them with --max-chunk",
                            format_size(setup.plan.m_part)));
    }
  }

  /// Returns the exit code, the same on all ranks; ends the job where a file cannot be closed.
  int measure_and_report() {
    const auto hooks = recorder_ ? recorder_->hooks() : Hooks{};
    const auto ending = measure(setup_->plan, rank_, *machine_, measured_, hooks);
    watchdog_.reset();
    machine_->describe(measured_);
    if (ending == Ending::kAbort) {
      measured_.stopped_by =
          "a file could not be synchronised, and closing it together might never end";
      end_job(rank_, rank_ == 0 ? report_in_haste(measured_) : kExitNotValid);
    }
    if (ending == Ending::kStopped) {
      measured_.stopped_by = machine_->stop_reason().value_or("a process asked for it");
    }
    int code = kExitValid;
    check_on_rank_0([&] { code = report(measured_); });
    return from_rank_0(code);
  }

 private:
  /// Writes the results, and returns what is to be shown. Makes no MPI call.
  std::string write(const Measurement& measured) {
    const auto& plan = setup_->plan;
    const auto found = result(ended(*start_), measured);
    const auto text = protocol(plan, found);
    write_results(*options_, text, to_json(plan, found));
    code_ = found.valid() ? kExitValid : kExitNotValid;
    return options_->quiet ? last_lines(plan, found) : text;
  }

  /// First the results, then the files are removed: what could not be is told in a second version.
  int report(Measurement measured) {
    recorder_->finish(measured.complete);
    auto text = write(measured);
    measured.leftovers = guard_->remove();
    if (!measured.leftovers.empty()) {
      text = write(measured);
    }
    show(*options_, text);
    return code_;
  }

  /// The report where MPI hangs or closing a file might: the file system may hang, too.
  int report_in_haste(const Measurement& measured) {
    constexpr Seconds kLongestRemoval = 10;
    try {
      recorder_->finish(measured.complete);
      show(*options_, write(measured));
    } catch (const RunError& problem) {
      fmt::print(stderr, "b_eff_io: {}\n", problem.what());
      code_ = kExitFailed;
    }
    if (!in_time(kLongestRemoval, [guard = guard_] { return guard->remove(); })) {
      fmt::print(stderr, "b_eff_io: the files could not be removed in time: {}\n",
                 guard_->files().folders().front().string());
    }
    return code_;
  }

  [[nodiscard]] Result result(Environment environment, Measurement measured) const {
    measured.file_system = setup_->file_system;
    return make_result(setup_->plan, context_->program, std::move(environment), options_->effective,
                       std::move(measured));
  }

  /// Called in the thread of rank 0's watchdog while MPI hangs, so without any call of MPI.
  int give_up(const std::string& why) {
    fmt::print(stderr, "b_eff_io: {}; what was measured so far is reported\n", why);
    auto measured = measured_;
    machine_->describe(measured);
    measured.complete = false;
    measured.stopped_by = why;
    return report_in_haste(measured);
  }

  const Setup* setup_;
  const Options* options_;
  const RunContext* context_;
  const RunStart* start_;
  FileGuard* guard_;
  int rank_ = world_rank();
  int code_ = kExitFailed;
  std::unique_ptr<Recorder> recorder_;
  std::unique_ptr<MpiMachine> machine_;
  Measurement measured_;
  std::unique_ptr<Watchdog> watchdog_;
};

void tell(const std::string& what) { fmt::print(stderr, "b_eff_io: {}\n", what); }

}  // namespace

int carry_out(const MpiSession& session, const Options& asked, const RunContext& context) {
  const Nodes nodes;
  Options options = asked;
  if (!options.hints_file.empty()) {
    options.hints = read_hints(options.hints_file);
  }
  const auto start = start_run(session, nodes, options, context);
  const auto run = drawn_number(std::numeric_limits<std::uint64_t>::max());
  RunFiles files(options.folders, options.request.types, run);
  FileGuard guard(files, options.keep_files);
  const auto setup = set_up(options, start.environment, files, run);
  const bool speaks = session.rank() == 0;
  if (setup.pointer != setup.plan.pointer && speaks) {
    tell(
        "shared file pointers do not work here; type 1 uses individual ones, so the result will "
        "not be valid");
  }
  const int code = Benchmark(nodes, setup, options, context, start, guard).measure_and_report();
  if (options.keep_files && speaks) {
    for (const auto& folder : files.folders()) {
      tell("the files are kept in " + folder.string());
    }
  }
  return code;
}

void print_plan(const Options& options, const RunContext& /*context*/, const PlanPlace& place) {
  const auto plan = planned(options, place);
  const Bytes space = options.folders.all ? free_space(*options.folders.all) : kUnlimited;
  const auto free = space == kUnlimited ? std::nullopt : std::optional(space);
  if (options.plan_as_json) {
    fmt::print("{}\n", json_text(plan_json(plan, free), 1));
  } else {
    fmt::print("{}", plan_text(plan, free));
  }
}

}  // namespace beff::b_eff_io
