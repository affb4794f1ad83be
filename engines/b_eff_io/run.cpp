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

#include "core/b_eff_io/measure.hpp"
#include "core/record/json.hpp"
#include "engines/b_eff_io/mpi_machine.hpp"
#include "engines/b_eff_io/recorder.hpp"
#include "engines/b_eff_io/report.hpp"
#include "engines/b_eff_io/setup.hpp"
#include "engines/common/agree.hpp"
#include "engines/common/fail.hpp"

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
class Run {
 public:
  Run(const MpiSession& session, const Nodes& nodes, const Setup& setup, const Options& options,
      FileGuard& guard, const Report& report)
      : plan_(&setup.plan), rank_(session.rank()), guard_(&guard), report_(&report) {
    check_on_rank_0([&] {
      recorder_ = std::make_unique<Recorder>(setup.plan, options, report.without_samples());
    });
    watchdog_ = std::make_unique<Watchdog>(
        Watchdog::Settings{.rank = rank_,
                           .limit = options.longest_step(),
                           .roll = guard.files().folders().front() / "roll",
                           .hung = [this](const std::string& why) { return give_up(why); }});
    try {
      machine_ = std::make_unique<MpiMachine>(setup.plan, options, setup.settings, nodes,
                                              guard.files(), *watchdog_);
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
    check_on_rank_0([&] { code = remove_and_report(measured_); });
    return from_rank_0(code);
  }

 private:
  /// Removes the files, because the report says which could not be.
  int remove_and_report(Measurement measured) {
    recorder_->finish(measured.complete);
    measured.leftovers = guard_->remove();
    return report_->write(std::move(measured));
  }

  int report_or_complain(const Measurement& measured) {
    try {
      return remove_and_report(measured);
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
  const Report* report_;
  std::unique_ptr<Recorder> recorder_;
  std::unique_ptr<MpiMachine> machine_;
  Measurement measured_;
  std::unique_ptr<Watchdog> watchdog_;
};

void tell(const std::string& what) { fmt::print(stderr, "b_eff_io: {}\n", what); }

}  // namespace

int measure(const MpiSession& session, const Options& asked, const RunContext& context) {
  const Nodes nodes;
  Options options = asked;
  const auto start = start_run(session, nodes, options, context);
  const auto run = drawn_number(std::numeric_limits<std::uint64_t>::max());
  RunFiles files(options.folders, options.request.types, run);
  FileGuard guard(files, options.keep_files);
  const auto setup = set_up(options, start.environment, files, run);
  const bool speaks = session.rank() == 0;
  if (setup.fell_back && speaks) {
    tell(
        "shared file pointers do not work here; type 1 uses individual ones, so the result will "
        "not be valid");
  }
  const Report report(setup.plan, options, context, start, setup.file_system);
  const int code = Run(session, nodes, setup, options, guard, report).measure_and_report();
  if (options.keep_files && speaks) {
    for (const auto& folder : files.folders()) {
      tell("the files are kept in " + folder.string());
    }
  }
  return code;
}

}  // namespace beff::b_eff_io
