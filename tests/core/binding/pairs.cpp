#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>
#include <nanobind/trampoline.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "bindings.hpp"
#include "core/pairs/measure.hpp"
#include "core/pairs/network_plan.hpp"
#include "core/pairs/protocol.hpp"
#include "core/record/json.hpp"

namespace nb = nanobind;
using namespace beff::pairs;  // NOLINT(google-build-using-namespace)
using beff::Bytes;
using beff::Seconds;

namespace {

using Pairs = std::vector<std::pair<int, int>>;
using Times = std::vector<std::pair<Nanoseconds, Nanoseconds>>;  ///< small and large

Pairs as_tuples(const std::vector<UnitPair>& list) {
  Pairs pairs;
  for (const auto& [first, second] : list) {
    pairs.emplace_back(first, second);
  }
  return pairs;
}

beff::HostHardware host_hardware_of(const beff::Json& fields) {
  beff::HostHardware hardware;
  for (const auto& port : fields.at("network")) {
    const auto& rate = port.at("rate_MBps");
    hardware.network.push_back(
        {.name = port.at("name"),
         .kind = port.at("kind"),
         .rate_MBps = rate.is_null() ? std::nullopt : std::optional(rate.get<double>()),
         .state = port.at("state")});
  }
  hardware.pcie_below_maximum = fields.at("pcie_below_maximum");
  return hardware;
}

/// A machine that is a script in Python: `times(pass, round, pairs, ways)` in ns, and `stops()`. A
/// meeting takes a second.
class ScriptedMachine : public Machine {
 public:
  ScriptedMachine(nb::object script, const std::string& hosts) : script_(std::move(script)) {
    for (const auto& host : beff::Json::parse(hosts)) {
      roofs_.of_hosts.push_back(host_hardware_of(host));
    }
  }

  Roofs roofs() override { return roofs_; }
  Meeting meet(const Place& place, const std::vector<UnitPair>& pairs, Ways ways) override {
    constexpr const char* kWays[] = {"both", "there", "back"};
    const auto times = nb::cast<Times>(script_.attr("times")(
        place.pass, place.round, as_tuples(pairs), kWays[static_cast<int>(ways)]));
    Meeting meeting{.times = {}, .elapsed = elapsed_ += 1, .stop = beff::Stop::kNo};
    for (const auto& [small, large] : times) {
      meeting.times.push_back({.small = small, .large = large});
    }
    meeting.stop = nb::cast<bool>(script_.attr("stops")()) ? beff::Stop::kSignal : beff::Stop::kNo;
    return meeting;
  }
  Meeting cross(const Place& place, const std::vector<UnitPair>& pairs, int processes,
                Traffic traffic) override {
    const auto ns = nb::cast<std::vector<std::int64_t>>(script_.attr("crosses")(
        place.pass, place.round, as_tuples(pairs), processes, std::string(to_string(traffic))));
    Meeting meeting{.times = {}, .elapsed = elapsed_ += 1, .stop = beff::Stop::kNo};
    for (const auto time : ns) {
      meeting.times.push_back({.small = std::nullopt, .large = time});
    }
    meeting.stop = nb::cast<bool>(script_.attr("stops")()) ? beff::Stop::kSignal : beff::Stop::kNo;
    return meeting;
  }
  void wait_until(Seconds moment) override { elapsed_ = std::max(elapsed_, moment); }
  std::vector<UnitPair> from_rank_0(std::vector<UnitPair> pairs) override { return pairs; }

 private:
  nb::object script_;
  Roofs roofs_;
  Seconds elapsed_ = 0;
};

class ScriptedRun {
 public:
  explicit ScriptedRun(const PlanRequest& request) : plan_(make_plan(request)) {}

  void measure(const nb::object& script, const std::string& hosts) {
    ScriptedMachine machine(script, hosts);
    const auto append = [this](const char* name, const beff::Json& row) {
      journal_ += beff::Json{{name, row}}.dump() + "\n";
    };
    beff::pairs::measure(
        plan_, 0, machine, measurement_,
        {.met = [&](const Place& place,
                    const RoundTimes& times) { append("round", to_json(place, times)); },
         .retested = [&](const Retest& retest) { append("retest", to_json(retest)); },
         .alone = [&](const AloneResult& alone) { append("alone", to_json(alone)); },
         .stepped = [&](int halves, int place,
                        const StepResult& step) { append("step", to_json(halves, place, step)); },
         .filled = [&](const PerHostResult& row) { append("fill", to_json(row)); }});
    if (!measurement_.complete) {
      measurement_.stopped_by = "the script ended";
    }
  }

  [[nodiscard]] std::string result_json() const { return to_json(plan_, result()).dump(); }
  [[nodiscard]] std::string protocol() const { return protocol_text(plan_, result()); }
  [[nodiscard]] const Plan& plan() const { return plan_; }
  /// The lines behind the first.
  [[nodiscard]] const std::string& journal() const { return journal_; }

 private:
  [[nodiscard]] Result result() const {
    beff::Environment environment;
    environment.wall = measurement_.map.took;
    environment.started_at = "2026-01-02T03:04:05Z";
    environment.finished_at = "2026-01-02T03:05:05Z";
    environment.uname = {.sysname = "Linux",
                         .nodename = "fake",
                         .release = "1",
                         .version = "#1",
                         .machine = "x86_64"};
    const int each = plan_.processes / plan_.hosts;
    for (int host = 0; host < plan_.hosts; ++host) {
      environment.hosts.push_back({.name = "h" + std::to_string(host), .processes = each});
      environment.placement.insert(environment.placement.end(), static_cast<std::size_t>(each),
                                   host);
    }
    environment.processes = plan_.processes;
    environment.cores_per_node_min = each;
    environment.memory = {.per_process = plan_.memory_per_process,
                          .total = plan_.memory_per_process * plan_.processes,
                          .source = "given"};
    environment.mpi = {.library = "scripted", .standard = "0.0", .thread_level = "none"};
    environment.cpu.model = "scripted";
    environment.topology = "none";
    environment.build_type = "Release";
    environment.command_line = {"b_pairs"};
    const beff::Json options = {{"seed", plan_.seed.value_or(0)}};
    return make_result(plan_,
                       {.program = {.name = "b_pairs", .version = "0", .git_commit = "unknown"},
                        .environment = std::move(environment),
                        .options = std::make_shared<const beff::Json>(options)},
                       measurement_);
  }

  Plan plan_;
  Measurement measurement_;
  std::string journal_;
};

/// Bisection and processes per host of a scripted run.
struct Whole {
  bool bisects = false;
  BisectionRequest bisection;
  std::vector<int> per_host;  ///< empty: none
};

std::unique_ptr<ScriptedRun> scripted_run(int processes, int hosts, const std::string& rounds,
                                          Bytes memory, std::uint64_t seed, Seconds duration,
                                          const Whole& whole) {
  PlanRequest request{.processes = processes,
                      .hosts = hosts,
                      .memory_per_process = memory,
                      .seed = seed,
                      .rounds = {},
                      .map_per_host = MapPerHost::kAll,
                      .duration = duration,
                      .fewest_per_host = processes / hosts,
                      .message_size = std::nullopt,
                      .bisection = std::nullopt,
                      .per_host = std::nullopt};
  if (rounds == "all") {
    request.rounds.kind = Rounds::Kind::kAll;
  } else if (rounds != "auto") {
    request.rounds = {.kind = Rounds::Kind::kGiven, .count = std::stoi(rounds)};
  }
  if (whole.bisects) {
    request.bisection = whole.bisection;
  }
  if (!whole.per_host.empty()) {
    request.per_host = PerHostRequest{.processes = whole.per_host};
  }
  return std::make_unique<ScriptedRun>(request);
}

}  // namespace

void bind_pairs(nb::module_& module) {
  module.def("half_by_switches", &half_by_switches);
  nb::class_<Whole>(module, "Whole")
      .def(
          "__init__",
          [](Whole* whole, bool bisects, int processes, const std::vector<int>& first_half,
             int random_halves, Seconds time, const std::vector<int>& per_host) {
            new (whole) Whole{.bisects = bisects,
                              .bisection = {.processes = processes,
                                            .first_half = first_half,
                                            .random_halves = random_halves,
                                            .time = time},
                              .per_host = per_host};
          },
          nb::arg("bisects") = true, nb::arg("processes") = 1,
          nb::arg("first_half") = std::vector<int>(), nb::arg("random_halves") = 8,
          nb::arg("time") = 600.0, nb::arg("per_host") = std::vector<int>());
  nb::class_<ScriptedRun>(module, "ScriptedRun")
      .def("measure", &ScriptedRun::measure, nb::arg("script"), nb::arg("hosts") = "[]")
      .def("result_json", &ScriptedRun::result_json)
      .def("protocol", &ScriptedRun::protocol)
      .def("journal", &ScriptedRun::journal)
      .def("pairs_of_step",
           [](const ScriptedRun& run, int halves, int step) {
             return as_tuples(cut_of(run.plan(), halves).pairs_of_step(step));
           })
      .def("steps_of",
           [](const ScriptedRun& run, int halves) { return cut_of(run.plan(), halves).steps(); })
      .def("bisection_time",
           [](const ScriptedRun& run, double MBps) { return bisection_time(run.plan(), MBps); })
      .def("pairs_of_round",
           [](const ScriptedRun& run, int pass, int round) {
             return as_tuples(Pass(run.plan(), pass).pairs_of_round(round));
           })
      .def_prop_ro("unit",
                   [](const ScriptedRun& run) { return std::string(to_string(run.plan().unit)); })
      .def_prop_ro("units", [](const ScriptedRun& run) { return run.plan().units; })
      .def_prop_ro("rounds", [](const ScriptedRun& run) { return run.plan().rounds_of_pass; })
      .def_prop_ro("most_passes", [](const ScriptedRun& run) { return run.plan().most_passes; })
      .def_prop_ro("large", [](const ScriptedRun& run) { return run.plan().large; });
  module.def("scripted_run", &scripted_run, nb::arg("processes"), nb::arg("hosts") = 1,
             nb::arg("rounds") = "auto", nb::arg("memory") = Bytes{1} << 30, nb::arg("seed") = 1,
             nb::arg("duration") = 20.0, nb::arg("whole") = Whole());
  module.def("spread_step", &spread_step);
  module.def("cut_by", [](const std::vector<int>& part, int units) {
    const auto cut = cut_by(part, units);
    std::vector<Pairs> steps;
    for (int step = 0; step < cut.steps(); ++step) {
      steps.push_back(as_tuples(cut.pairs_of_step(step)));
    }
    return steps;
  });
  module.def("series_beside", [](Seconds mine, Seconds slowest) {
    const auto series = series_beside(mine, slowest);
    return std::pair(series.count, series.exchanges);
  });
  module.def("series_for", [](Seconds exchange) {
    const auto series = series_for(exchange);
    return std::pair(series.count, series.exchanges);
  });
}
