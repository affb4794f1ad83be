#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/benchmark.hpp"
#include "core/record/environment.hpp"
#include "core/record/json.hpp"
#include "core/record/result.hpp"
#include "engines/common/counters/counters.hpp"
#include "engines/common/memory/chosen_memory.hpp"
#include "engines/common/mpi/nodes.hpp"
#include "engines/common/run/files.hpp"
#include "engines/common/run/program.hpp"
#include "engines/common/run/recorder.hpp"
#include "engines/common/watch/watchdog.hpp"

namespace beff {

/// A number from 0 to `largest` that rank 0 has drawn. Collective over MPI_COMM_WORLD.
[[nodiscard]] std::uint64_t drawn_number(std::uint64_t largest);

/// What a run has to say at its end.
struct Report {
  Json result;
  std::string protocol;
  std::string shown;  ///< of the protocol, as --quiet wants it
  bool valid;
};

/// A run of a measuring program, from the check of its output files to its exit code, with all that
/// the programs share: the claim of its output, environment and seed, journal, counters of ports
/// and load, the report of a hang, and the end. The virtual functions are what a program does its
/// own way. Nothing that was measured is lost: a result that cannot be written goes to another
/// place, which is named, or to standard output. Collective over MPI_COMM_WORLD.
class Run : public InOnePlace {
 public:
  /// Finds the nodes. All arguments must outlive the object; `options` will get a seed.
  Run(const MpiSession& session, Watchdog& watchdog, CommonOptions& options,
      const RunContext& context)
      : session_(&session), watchdog_(&watchdog), options_(&options), context_(&context) {}

  /// Returns the exit code, the same on all ranks. Throws UsageError and RunError on all alike.
  int carry_out();

 protected:
  /// Gets ready to plan, plans, and returns the plan, which must be the same on all ranks.
  virtual Json make_plan() = 0;
  /// What the journal will hold.
  [[nodiscard]] virtual Recorder::Extent extent() const = 0;
  /// Throws std::bad_alloc, for which no_memory() has the sentence behind `rank 3 on n7`.
  virtual void make_machine() = 0;
  [[nodiscard]] virtual std::string no_memory() const = 0;
  using Begins = std::function<void(std::string_view what)>;
  /// Tries the calls that will be measured, with all kinds of messages where buffers lie
  /// `on_device`, else what is beside the value alone; calls `begins` before each. What cannot be
  /// measured is left out. Returns on all ranks why nothing can be, or nothing.
  [[nodiscard]] virtual std::string try_messages(bool /*on_device*/, const Begins& /*begins*/) {
    return {};
  }
  /// Goes through the plan; returns why it ended early.
  virtual Stop go_through_plan() = 0;
  /// What this process has sent meanwhile; empty on all where it is not known.
  [[nodiscard]] virtual std::optional<SentBytes> sent() const { return std::nullopt; }
  /// Agrees on what processes have seen, in watched steps.
  virtual void agree() {}
  /// Takes over what the machine has noted; where it `hangs`, what does not answer. Makes no MPI
  /// call, but under simulation.
  virtual void describe(bool /*hangs*/) {}
  /// The report of what is measured so far. Makes no MPI call.
  [[nodiscard]] virtual Report report(ResultHead head) const = 0;
  /// What is measured so far.
  virtual RunRecord& record() = 0;
  /// On all ranks, once the result is written; in watched steps.
  virtual void clean_up_together() {}
  /// On rank 0, after that; returns whether the report is another one since.
  virtual bool clean_up() { return false; }
  /// The same where the file system may hang, as the last of all.
  virtual void clean_up_in_haste() {}

  /// Rank 0's end where MPI hangs or closing a file might, without any call of MPI. Returns the
  /// exit code.
  [[nodiscard]] int end_in_haste();

  [[nodiscard]] const MpiSession& session() const { return *session_; }
  [[nodiscard]] Watchdog& watchdog() const { return *watchdog_; }
  [[nodiscard]] const RunContext& context() const { return *context_; }
  [[nodiscard]] const Nodes& nodes() const { return nodes_; }
  /// That of the start.
  [[nodiscard]] const Environment& environment() const { return environment_; }
  /// Where the buffers lie.
  [[nodiscard]] BufferMemory& memory() const { return *chosen_.memory; }
  /// What the plan is carried out with.
  [[nodiscard]] Resources resources() const {
    return {.processes = session_->size(), .nodes = nodes_.count(), .memory = environment_.memory};
  }
  /// Null on all ranks but 0.
  [[nodiscard]] Recorder* recorder() const { return recorder_.get(); }

 private:
  struct Written {
    std::string text;   ///< to be printed
    std::string where;  ///< the result is
    int code;
  };

  void start();
  void get_ready();
  void open_journal();
  void try_out();
  void measure_and_agree();
  void note_counters(const WireWatch& wires, const LoadWatch& loads);
  /// `ended`: at the end of the run, else at its start.
  [[nodiscard]] ResultHead head(bool ended) const;
  void on_rank_0(std::string_view name, const std::function<void()>& work);
  [[nodiscard]] int end();
  /// What a hang leaves.
  [[nodiscard]] std::string left() const;
  [[nodiscard]] int give_up(const std::string& why);
  [[nodiscard]] Written write();

  const MpiSession* session_;
  Watchdog* watchdog_;
  CommonOptions* options_;
  const RunContext* context_;
  OutputFiles files_{options_->output};
  Nodes nodes_;
  ChosenMemory chosen_;
  Environment environment_;
  Seconds started_ = 0;                 ///< by run_time()
  Seconds watch_ = 0;                   ///< the same moment by watch_time()
  Seconds day_ = 0;                     ///< the same moment by time_of_day()
  std::unique_ptr<Recorder> recorder_;  ///< on rank 0
  bool measures_ = false;
};

/// A run of a benchmark with plan_json(), make_result(), to_json() and texts for these types; what
/// is measured so far belongs to it.
template <class Options, class Plan, class Machine, class Hooks, class Result>
class BenchmarkRun : public Run {
 public:
  /// See Run.
  BenchmarkRun(const MpiSession& session, Watchdog& watchdog, Options& options,
               const RunContext& context)
      : Run(session, watchdog, options, context), options_(&options) {}

 protected:
  /// Gets ready to plan, and plans.
  virtual Plan new_plan() = 0;
  /// Throws std::bad_alloc.
  [[nodiscard]] virtual std::unique_ptr<Machine> new_machine() = 0;
  /// For rank 0.
  virtual Hooks recording() = 0;
  [[nodiscard]] virtual Result result(ResultHead head) const {
    return make_result(*plan_, std::move(head), measured_);
  }

  [[nodiscard]] Options& options() const { return *options_; }
  [[nodiscard]] const Plan& plan() const { return *plan_; }
  /// For what try_messages() leaves out.
  [[nodiscard]] Plan& plan() { return *plan_; }
  [[nodiscard]] Machine& machine() const { return *machine_; }
  [[nodiscard]] auto& measured() { return measured_; }
  [[nodiscard]] const auto& measured() const { return measured_; }
  [[nodiscard]] Hooks hooks() { return recorder() != nullptr ? recording() : Hooks{}; }

 private:
  Json make_plan() final {
    plan_.emplace(new_plan());
    return plan_json(*plan_);
  }
  void make_machine() final { machine_ = new_machine(); }
  RunRecord& record() final { return measured_; }
  [[nodiscard]] Report report(ResultHead head) const final {
    const auto whole = result(std::move(head));
    const auto last = last_line(*plan_, whole) + "\n";
    return {.result = to_json(*plan_, whole),
            .protocol = protocol_text(*plan_, whole),
            .shown = options_->quiet ? last : summary_text(*plan_, whole) + "\n" + last,
            .valid = whole.valid()};
  }

  Options* options_;
  std::optional<Plan> plan_;
  decltype(Result::measurement) measured_;
  std::unique_ptr<Machine> machine_;
};

}  // namespace beff
