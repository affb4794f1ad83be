#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/pairs/measure.hpp"
#include "core/pairs/result.hpp"
#include "core/record/json.hpp"
#include "engines/common/mpi/agree.hpp"
#include "engines/common/mpi/launch.hpp"
#include "engines/common/run/run.hpp"
#include "engines/common/watch/end.hpp"
#include "engines/pairs/mpi_machine.hpp"

namespace beff::pairs {
namespace {

class PairsRun : public BenchmarkRun<Options, Plan, MpiMachine, Hooks, Result> {
 public:
  using BenchmarkRun::BenchmarkRun;

 private:
  Plan new_plan() override {
    return planned(options(), resources(), allreduce(nodes().local_processes(), MPI_MIN),
                   first_half());
  }

  /// What the file of halves names, or else what the launcher says of the switches above the hosts,
  /// the same on all ranks.
  std::vector<int> first_half() {
    std::vector<int> units;
    if (!options().request.bisection) {
      return units;
    }
    watchdog().wait_for_rank_0("set-up: choosing the halves");
    check_on_rank_0([&] {
      if (options().halves.empty()) {
        std::vector<std::string> switches;
        for (const auto& host : environment().hosts) {
          switches.push_back(host.place.switches);
        }
        units = half_by_switches(switches);
        return;
      }
      std::vector<std::string> names;
      if (nodes().count() > 1) {
        for (const auto& host : environment().hosts) {
          names.push_back(host.name);
        }
      } else {
        for (int rank = 0; rank < session().size(); ++rank) {
          names.push_back(fmt::format("{}", rank));
        }
      }
      units = units_in(options().halves, names);
    });
    units.resize(static_cast<std::size_t>(from_rank_0(static_cast<int>(units.size()))));
    MPI_Bcast(units.data(), static_cast<int>(units.size()), MPI_INT, 0, MPI_COMM_WORLD);
    return units;
  }

  /// How long it may take where each process has 10 GB/s.
  [[nodiscard]] Seconds expected() const {
    return plan().duration + (plan().bisection ? bisection_time(plan(), kUsual_MBps) : 0);
  }

  [[nodiscard]] std::unique_ptr<MpiMachine> new_machine() override {
    return std::make_unique<MpiMachine>(plan(), nodes(), memory(), options().time_limit,
                                        watchdog());
  }

  [[nodiscard]] std::string no_memory() const override {
    return "has no memory for the message buffers; start fewer processes per node";
  }

  [[nodiscard]] Recorder::Extent extent() const override {
    return {.samples = std::int64_t{Plan::kFewestPasses} * plan().rounds_of_pass,
            .steps = milliseconds(expected()) + 1};
  }

  [[nodiscard]] std::string try_messages(bool on_device, const Begins& begins) override {
    return on_device ? machine().try_messages(begins) : std::string();
  }

  Stop go_through_plan() override {
    return measure(plan(), session().rank(), machine(), measured(), hooks());
  }

  Hooks recording() override {
    return {
        .roofed =
            [this](const Roofs& roofs) {
              recorder()->append({{"roofs", to_json(roofs, environment().hosts)}});
            },
        .met =
            [this](const Place& place, const RoundTimes& times) {
              recorder()->append({{"round", to_json(place, times)}});
            },
        .retested =
            [this](const Retest& retest) { recorder()->append({{"retest", to_json(retest)}}); },
        .alone =
            [this](const AloneResult& alone) { recorder()->append({{"alone", to_json(alone)}}); },
        .stepped =
            [this](int halves, int place, const StepResult& step) {
              recorder()->append({{"step", to_json(halves, place, step)}});
            },
        .filled =
            [this](const PerHostResult& row) { recorder()->append({{"fill", to_json(row)}}); },
        .progress =
            [this](Seconds elapsed) {
              recorder()->show(milliseconds(std::min(elapsed, expected())), "pairs");
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

/// Measures and reports; returns the exit code, the same on all ranks. Throws UsageError and
/// RunError on all ranks alike.
int carry_out(const MpiSession& session, Watchdog& watchdog, Options& options,
              const RunContext& context) {
  return PairsRun(session, watchdog, options, context).carry_out();
}

/// Prints the plan of these options with these resources. Throws UsageError.
void print_plan(const Options& options, const RunContext& context, const Resources& resources) {
  // Who the names of a file are, a run knows; how many they are says how many steps there will be.
  std::vector<int> first_half;
  if (!options.halves.empty()) {
    const auto names = names_in(options.halves);
    first_half.resize(std::set(names.begin(), names.end()).size());
    std::iota(first_half.begin(), first_half.end(), 0);
  }
  const Plan plan =
      planned(options, resources, resources.processes / resources.nodes.value_or(1), first_half);
  Json fields = plan_json(plan);
  if (!first_half.empty()) {
    fields["plan"]["bisection"]["first_half"] = nullptr;
  }
  show_plan(options, context, resources, plan_text(plan, options.time_limit), fields);
}

}  // namespace
}  // namespace beff::pairs

int main(int argc, char** argv) {
  using namespace beff::pairs;  // NOLINT(google-build-using-namespace)
  return beff::run_program("b_pairs", argc, argv, parse_options, print_plan, carry_out);
}
