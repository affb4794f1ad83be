#include <algorithm>
#include <memory>
#include <optional>

#include "core/pairs/measure.hpp"
#include "core/pairs/protocol.hpp"
#include "core/record/json.hpp"
#include "engines/common/run/run.hpp"
#include "engines/pairs/mpi_machine.hpp"
#include "engines/pairs/options.hpp"

namespace beff::pairs {
namespace {

class PairsRun : public BenchmarkRun<Options, Plan, MpiMachine, Hooks, Result> {
 public:
  using BenchmarkRun::BenchmarkRun;

 private:
  Plan new_plan() override { return planned(options(), resources()); }

  [[nodiscard]] std::unique_ptr<MpiMachine> new_machine() override {
    return std::make_unique<MpiMachine>(plan(), nodes(), options().time_limit, watchdog());
  }

  [[nodiscard]] std::string no_memory() const override {
    return "has no memory for the message buffers; start fewer processes per node";
  }

  [[nodiscard]] Recorder::Extent extent() const override {
    return {.samples = std::int64_t{Plan::kFewestPasses} * plan().rounds_of_pass,
            .steps = milliseconds(plan().duration) + 1};
  }

  Stop go_through_plan() override {
    return measure(plan(), session().rank(), machine(), measured(), hooks());
  }

  Hooks recording() override {
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
                  recorder()->show(milliseconds(std::min(elapsed, plan().duration)), "pairs");
                }};
  }

  [[nodiscard]] std::optional<SentBytes> sent() const override { return machine().sent(); }

  void describe(bool hangs) override {
    if (hangs) {
      measured().map.no_answer = machine().no_answer(watchdog().missing());
    }
  }

  static std::int64_t milliseconds(Seconds time) {
    constexpr double kMilliseconds = 1e3;
    return static_cast<std::int64_t>(time * kMilliseconds);
  }
};

}  // namespace

int carry_out(const MpiSession& session, Watchdog& watchdog, Options& options,
              const RunContext& context) {
  return PairsRun(session, watchdog, options, context).carry_out();
}

void print_plan(const Options& options, const RunContext& context, const Resources& resources) {
  const Plan plan = planned(options, resources);
  show_plan(options, context, resources, plan_text(plan, options.time_limit), plan_json(plan));
}

}  // namespace beff::pairs
