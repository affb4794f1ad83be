#include "engines/b_eff_io/run.hpp"

#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <memory>
#include <new>
#include <random>
#include <thread>
#include <utility>

#include "core/b_eff_io/measure.hpp"
#include "core/random_permutation.hpp"
#include "core/record/json.hpp"
#include "engines/b_eff_io/library_trial.hpp"
#include "engines/b_eff_io/mpi_machine.hpp"
#include "engines/b_eff_io/plan_task.hpp"
#include "engines/b_eff_io/recorder.hpp"
#include "engines/b_eff_io/report.hpp"
#include "engines/common/agree.hpp"
#include "engines/common/fail.hpp"
#include "engines/common/output_files.hpp"
#include "engines/common/stop_signal.hpp"

namespace beff::b_eff_io {
namespace {

void check_launch(const MpiSession& session, const LaunchHints& hints) {
  if (session.size() == 1 && hints.size && *hints.size > 1) {
    throw UsageError(fmt::format(
        "{} is {}, but MPI sees a single process: the launcher and the MPI library of this program "
        "do not belong together, so the processes run apart; use the launcher of this MPI library",
        hints.size_variable, *hints.size));
  }
}

/// Random bits of rank 0 on all ranks.
std::uint64_t new_number(std::uint64_t largest) {
  std::random_device device;
  std::uniform_int_distribution<std::uint64_t> numbers(0, largest);
  return from_rank_0(static_cast<unsigned long long>(numbers(device)));
}

/// Free space that is never touched.
Bytes reserve_of(const FileSystem& file_system) {
  constexpr Bytes kPart = 20;
  return std::min(kGiB, file_system.total / kPart);
}

void check_space(const Plan& plan, Bytes free) {
  if (free != kUnlimited && free < minimal_space(plan)) {
    throw UsageError(fmt::format(
        "--path: {} are free, but one call of each pattern needs {} ({} of it stay free); choose "
        "another folder, smaller chunks with --max-chunk, or fewer --partitions or --types",
        format_size(free), format_size(minimal_space(plan)), format_size(plan.reserve)));
  }
}

/// Where a run takes place, and what it does there.
struct Setup {
  Plan plan;
  FileSystem file_system;  ///< on rank 0
  MachineSettings settings;
  bool fell_back;  ///< from shared to individual file pointers
};

/// Makes the folders, tries out the library and plans. Throws UsageError and RunError on all ranks.
Setup set_up(const Options& options, Place place, const Plan& first_plan, RunFiles& files,
             std::uint64_t run, Waiting waiting) {
  FileSystem file_system;
  check_on_rank_0([&] {
    files.create();
    file_system = describe_file_system(files.folders());
    file_system.cache = options.fs_cache;
    file_system.note = options.filesystem_note;
  });
  const bool wants_shared = first_plan.has(Type::kShared) && options.pointer == Pointer::kShared;
  const auto trial =
      try_library(files, wants_shared ? Type::kShared : first_plan.types.front(), wants_shared);
  file_system.striping_unit = trial.striping_unit;
  place.striping_unit = trial.striping_unit;
  place.reserve =
      static_cast<Bytes>(from_rank_0(static_cast<unsigned long long>(reserve_of(file_system))));
  const bool fell_back = wants_shared && !trial.shared_pointers;
  Setup setup{.plan = plan_or_usage_error(options, place),
              .file_system = std::move(file_system),
              .settings = {.run = run,
                           .pointer = fell_back ? Pointer::kIndividual : options.pointer,
                           .verify = options.verify,
                           .drop_cache = options.drop_cache,
                           .shift_readers = options.shift_readers,
                           .hints = options.hints,
                           .time_limit = options.time_limit,
                           .waiting = waiting},
              .fell_back = fell_back};
  check_on_rank_0([&] { check_space(setup.plan, files.free()); });
  return setup;
}

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
class Run {
 public:
  Run(const MpiSession& session, const Nodes& nodes, const Setup& setup, const Options& options,
      RunFiles& files, FileGuard& guard, Report& report)
      : plan_(&setup.plan), rank_(session.rank()), guard_(&guard), report_(&report) {
    check_on_rank_0([&] {
      recorder_ = std::make_unique<Recorder>(setup.plan, options, report.without_samples());
    });
    watchdog_ = std::make_unique<Watchdog>(
        Watchdog::Settings{.rank = rank_,
                           .limit = options.longest_step(),
                           .roll = files.folders().front() / "roll",
                           .hung = [this](const std::string& why) { return give_up(why); }});
    try {
      machine_ = std::make_unique<MpiMachine>(setup.plan, nodes, files, setup.settings, *watchdog_);
    } catch (const std::bad_alloc&) {
      abort_job(fmt::format("a buffer for calls of {} cannot be had; bound them with --max-chunk",
                            format_size(setup.plan.m_part)));
    }
  }

  /// Returns the exit code, the same on all ranks; ends the job where a file cannot be closed.
  int measure_and_report() {
    const auto hooks = recorder_ ? recorder_->hooks() : Hooks{};
    const auto ending = measure(*plan_, rank_, *machine_, measured_, hooks);
    watchdog_.reset();
    machine_->describe(measured_);
    if (ending == Ending::kAbort) {
      measured_.stopped_by =
          "a file could not be synchronised, and closing it together might never end";
      end_job(rank_, rank_ == 0 ? report_or_complain(measured_) : kExitNotValid);
    }
    if (ending == Ending::kStopped) {
      measured_.stopped_by = machine_->stop_reason().value_or("a process asked for it");
    }
    int code = kExitValid;
    check_on_rank_0([&] { code = write_report(measured_); });
    return from_rank_0(code);
  }

 private:
  int write_report(const Measurement& measured) {
    recorder_->finish(measured.complete ? "complete" : "stopped");
    return report_->write(measured, *guard_);
  }

  int report_or_complain(const Measurement& measured) {
    try {
      return write_report(measured);
    } catch (const RunError& problem) {
      fmt::print(stderr, "b_eff_io: {}\n", problem.what());
      return kExitFailed;
    }
  }

  /// Called in the thread of rank 0's watchdog while MPI hangs, so without any call of MPI.
  int give_up(const std::string& why) {
    fmt::print(stderr, "b_eff_io: {}; what was measured so far is reported\n", why);
    auto measured = measured_;
    machine_->describe(measured);
    measured.complete = false;
    measured.stopped_by = why;
    return report_or_complain(measured);
  }

  const Plan* plan_;
  int rank_;
  FileGuard* guard_;
  Report* report_;
  std::unique_ptr<Recorder> recorder_;
  std::unique_ptr<MpiMachine> machine_;
  Measurement measured_;
  std::unique_ptr<Watchdog> watchdog_;
};

}  // namespace

int measure(const MpiSession& session, Options options, const RunContext& context) {
  catch_stop_signals();
  check_launch(session, context.hints);
  const Nodes nodes;
  check_on_rank_0([&] { OutputFiles(options.output).check(options.overwrite); });
  const auto environment = gather_environment(session, nodes, options.memory, context.command_line);
  set_seed(options, options.seed.value_or(new_number(kLargestSeed)));
  const std::uint64_t run = new_number(std::numeric_limits<std::uint64_t>::max());
  const Place place{.processes = session.size(),
                    .memory_per_process = environment.memory.per_process,
                    .striping_unit = std::nullopt,
                    .reserve = 0};

  const auto first_plan = plan_or_usage_error(options, place);
  RunFiles files(options.folders, first_plan.types, run);
  FileGuard guard(files, options.keep_files);
  const auto waiting = environment.oversubscribed ? Waiting::kNapping : Waiting::kSpinning;
  const Setup setup = set_up(options, place, first_plan, files, run, waiting);
  if (setup.fell_back && session.rank() == 0) {
    fmt::print(stderr,
               "b_eff_io: shared file pointers do not work here; type 1 uses individual ones, so "
               "the result will not be valid\n");
  }
  Report report(setup.plan, options, context, environment, setup.file_system);
  const int code = Run(session, nodes, setup, options, files, guard, report).measure_and_report();
  if (options.keep_files && session.rank() == 0) {
    for (const auto& folder : files.folders()) {
      fmt::print(stderr, "b_eff_io: the files are kept in {}\n", folder.string());
    }
  }
  return code;
}

}  // namespace beff::b_eff_io
