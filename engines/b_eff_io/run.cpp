#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "core/b_eff_io/measure.hpp"
#include "core/b_eff_io/result.hpp"
#include "core/record/json.hpp"
#include "engines/b_eff_io/mpi_machine.hpp"
#include "engines/b_eff_io/setup.hpp"
#include "engines/common/run/run.hpp"
#include "engines/common/watch/end.hpp"

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

class IoRun : public BenchmarkRun<Options, Plan, MpiMachine, Hooks, Result> {
 public:
  using BenchmarkRun::BenchmarkRun;

 private:
  Plan new_plan() override {
    if (!options().hints_file.empty()) {
      watchdog().wait_for_rank_0("set-up: reading the hints");
      options().hints = read_hints(options().hints_file);
    }
    const auto run = drawn_number(std::numeric_limits<std::uint64_t>::max());
    files_.emplace(options().folders, options().request.types, run, options().keep_files);
    setup_ = set_up(options(), environment(), *files_, run, watchdog());
    watchdog().set_limit(options().longest_step(setup_->plan.time));
    if (setup_->pointer != setup_->plan.pointer && session().rank() == 0) {
      say(fmt::format(
          "b_eff_io: shared file pointers do not work here ({}); type 1 uses individual ones, so "
          "the result will not be valid",
          setup_->pointer_problem));
    }
    forecast_.emplace(setup_->plan);
    measured().partitions.resize(setup_->plan.partitions.size());
    measured().file_system = setup_->file_system;
    return setup_->plan;
  }

  [[nodiscard]] std::unique_ptr<MpiMachine> new_machine() override {
    return std::make_unique<MpiMachine>(*setup_, options(), nodes(), memory(), *files_, watchdog());
  }

  [[nodiscard]] std::string no_memory() const override {
    return fmt::format("cannot have a buffer for calls of {}; bound them with --max-chunk",
                       format_size(plan().m_part));
  }

  [[nodiscard]] Recorder::Extent extent() const override {
    return {.samples = planned_samples(plan()), .steps = kProgressSteps};
  }

  Stop go_through_plan() override {
    const auto ending = measure(plan(), session().rank(), machine(), measured(), hooks());
    if (ending == Ending::kAbort) {
      end_unsynchronised();
    }
    // the time limit is rank 0's, a signal may have reached any process
    return ending == Ending::kDone                        ? Stop::kNo
           : machine().wish_to_stop() == Stop::kTimeLimit ? Stop::kTimeLimit
                                                          : Stop::kSignal;
  }

  [[noreturn]] void end_unsynchronised() {
    watchdog().on_hang("the report is not complete");
    describe(/*hangs=*/false);
    measured().stopped_by =
        "a file could not be synchronised, and closing it together might never end";
    int code = kExitNotValid;
    {
      const auto step = watchdog().step("reporting a failed sync");
      code = session().rank() == 0 ? end_in_haste() : code;
    }
    watchdog().stop();
    end_job(session().rank(), code);
  }

  Hooks recording() override {
    return {
        .sample = [this](const Sample& sample) { note(sample); },
        .type = [this](const TypeSample& type) { recorder()->append({{"type", to_json(type)}}); },
        .notes =
            [this](std::size_t partition, const PartitionNotes& notes) {
              auto entry = to_json(notes);
              entry["partition"] = partition;
              recorder()->append({{"notes", std::move(entry)}});
            },
        .pattern = [this](const PatternWork& pattern) { show_progress(pattern); }};
  }

  void note(const Sample& sample) {
    forecast_->note(sample);
    recorder()->append({{"sample", to_json(plan(), sample)}, {"to_come_s", forecast_->to_come()}});
    const auto bandwidth = sample.bandwidth_MBps();
    before_ = bandwidth
                  ? fmt::format(" (before: pattern {} {:.1f} MB/s)", sample.pattern, *bandwidth)
                  : std::string();
  }

  /// Before the first call of a pattern: from there on its clock runs.
  void show_progress(const PatternWork& pattern) {
    const double share = recorder()->elapsed() / (recorder()->elapsed() + forecast_->to_come());
    recorder()->show(
        static_cast<std::int64_t>(static_cast<double>(kProgressSteps) * share),
        fmt::format("{} on {} processes, {} pattern {}{}", to_string(pattern.access),
                    pattern.processes, row(pattern.type).name, pattern.pattern, before_));
  }

  void describe(bool /*hangs*/) override { machine().describe(measured()); }

  /// Where each process has a file, one alone would need a long time to remove them all.
  void clean_up_together() override {
    const auto step = watchdog().step("removing the files of each process");
    files_->remove_own(session().rank(), plan().partitions, [this] { watchdog().went_on(); });
    watchdog().note_arrival();
    MPI_Barrier(MPI_COMM_WORLD);
  }

  /// What could not be removed is in a second version of the result.
  bool clean_up() override {
    measured().leftovers = files_->remove([this] { watchdog().went_on(); });
    if (options().keep_files) {
      for (const auto& folder : files_->folders()) {
        say("b_eff_io: the files are kept in " + folder.string());
      }
    }
    return !measured().leftovers.empty();
  }

  void clean_up_in_haste() override {
    constexpr Seconds kLongestRemoval = 10;
    if (!files_) {
      return;
    }
    const auto left = in_time(kLongestRemoval, [this] { return files_->remove(); });
    for (const auto& folder :
         left.value_or(std::vector{files_->folders().front().string() + " (it takes too long)"})) {
      say_in_time(files_left(folder));
    }
  }

  /// Progress is the share of the time that the run will have taken, in steps of a millionth.
  static constexpr std::int64_t kProgressSteps = 1'000'000;

  std::optional<RunFiles> files_;
  std::optional<Setup> setup_;
  std::optional<Forecast> forecast_;
  std::string before_;  ///< bandwidth of the pattern before, for the display
};

/// Measures and reports; returns the exit code, the same on all ranks. Throws UsageError and
/// RunError on all ranks alike. Ends the job where a file cannot be closed any more.
int carry_out(const MpiSession& session, Watchdog& watchdog, Options& options,
              const RunContext& context) {
  return IoRun(session, watchdog, options, context).carry_out();
}

/// Prints the plan of these options with these resources, with the free space where they name a
/// folder. Throws UsageError.
void print_plan(const Options& given, const RunContext& context, const Resources& resources) {
  Options options = given;
  if (!options.hints_file.empty()) {
    options.hints = hints_of(options.hints_file);
  }
  const auto plan = planned(options, resources);
  const Bytes space = options.folders.all ? free_space(*options.folders.all) : kUnlimited;
  const auto free = space == kUnlimited ? std::nullopt : std::optional(space);
  show_plan(options, context, resources, plan_text(plan, free), plan_json(plan, free));
}

}  // namespace
}  // namespace beff::b_eff_io

int main(int argc, char** argv) {
  using namespace beff::b_eff_io;  // NOLINT(google-build-using-namespace)
  return beff::run_program("b_eff_io", argc, argv, parse_options, print_plan, carry_out);
}
