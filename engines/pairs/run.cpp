#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/pairs/measure.hpp"
#include "core/pairs/protocol.hpp"
#include "core/record/json.hpp"
#include "engines/common/mpi/handles.hpp"
#include "engines/common/run/run.hpp"
#include "engines/common/watch/fail.hpp"
#include "engines/pairs/mpi_machine.hpp"
#include "engines/pairs/options.hpp"

namespace beff::pairs {
namespace {

void check_processes(int processes, const char* way_out) {
  if (processes < 2) {
    throw UsageError(fmt::format("b_pairs needs at least two processes; {}", way_out));
  }
}

class PairsRun : public Run {
 public:
  /// See Run.
  PairsRun(const MpiSession& session, Watchdog& watchdog, Options& options,
           const RunContext& context)
      : Run(session, watchdog, options, context), options_(&options) {}

 private:
  Json plan() override {
    plan_ = planned(*options_, session().size(), nodes().count(), environment().memory.per_process);
    return plan_fields(*plan_);
  }

  [[nodiscard]] Recorder::Extent extent() const override {
    const auto fewest = std::int64_t{Plan::kFewestPasses} * plan_->rounds_of_pass;
    return {.samples = fewest, .steps = milliseconds(plan_->duration) + 1};
  }

  void make_machine() override {
    machine_ = std::make_unique<MpiMachine>(*plan_, nodes(), options_->time_limit, watchdog());
  }

  [[nodiscard]] std::string no_memory() const override {
    return "has no memory for the message buffers; start fewer processes per node";
  }

  Stop measure() override {
    return pairs::measure(*plan_, session().rank(), *machine_, measured_,
                          recorder() != nullptr ? hooks() : Hooks{});
  }

  [[nodiscard]] Hooks hooks() {
    return {.roofed =
                [this](const Roofs& roofs) {
                  recorder()->append({{"roofs", to_json(roofs, environment().hosts)}});
                },
            .met =
                [this](const Place& place, const RoundTimes& times) {
                  recorder()->append({{"round", to_json(place, times)}});
                },
            .retested =
                [this](const Retest& retest) { recorder()->append({{"retest", to_json(retest)}}); },
            .progress =
                [this](Seconds elapsed) {
                  recorder()->show(milliseconds(std::min(elapsed, plan_->duration)), "pairs");
                }};
  }

  [[nodiscard]] std::optional<SentBytes> sent() const override { return machine_->sent(); }

  void describe(bool hangs) override {
    if (hangs) {
      measured_.map.no_answer = machine_->no_answer(watchdog().missing());
    }
  }

  [[nodiscard]] Report report(ResultHead head) const override {
    const auto found = make_result(*plan_, std::move(head), measured_);
    const auto last = last_line(*plan_, found) + "\n";
    return {.result = to_json(*plan_, found),
            .protocol = protocol_text(*plan_, found, options_->time_limit),
            .shown = options_->quiet ? last : summary_text(*plan_, found) + "\n" + last,
            .valid = found.valid()};
  }

  RunRecord& record() override { return measured_; }

  static std::int64_t milliseconds(Seconds time) {
    constexpr double kMilliseconds = 1e3;
    return static_cast<std::int64_t>(time * kMilliseconds);
  }

  const Options* options_;
  std::optional<Plan> plan_;
  Measurement measured_;
  std::unique_ptr<MpiMachine> machine_;
};

}  // namespace

int carry_out(const MpiSession& session, Watchdog& watchdog, const Options& asked,
              const RunContext& context) {
  check_processes(session.size(), "start at least two, for example mpiexec -n 2 b_pairs");
  Options options = asked;
  return PairsRun(session, watchdog, options, context).carry_out();
}

void print_plan(const Options& options, const RunContext& context, const PlanPlace& place) {
  check_processes(place.processes, "give at least 2 by --processes");
  const Plan plan =
      planned(options, place.processes, place.nodes.value_or(1), place.memory.per_process);
  show_plan(options, context, place, plan_text(plan, options.time_limit),
            {{"plan", plan_fields(plan)}});
}

}  // namespace beff::pairs
