#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>
#include <nanobind/trampoline.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <tuple>
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
  /// `sends(length)`: seconds of each process for a loop.
  MatrixLoop send_matrix(const Place& /*place*/, std::int64_t length) override {
    MatrixLoop loop{.length = length,
                    .times = nb::cast<std::vector<Seconds>>(script_.attr("sends")(length))};
    loop.slowest = *std::ranges::max_element(loop.times);
    loop.elapsed = elapsed_ += 1;
    loop.stop = nb::cast<bool>(script_.attr("stops")()) ? beff::Stop::kSignal : beff::Stop::kNo;
    return loop;
  }
  /// `looks()`: of each process done, last and others in seconds, and whose message came last.
  MatrixLooks look_at_matrix(const Place& /*place*/) override {
    using Look = std::tuple<Seconds, Seconds, Seconds, int>;
    MatrixLooks looks{.of_ranks = {}, .elapsed = elapsed_ += 1};
    for (const auto& [done, last, others, from] :
         nb::cast<std::vector<Look>>(script_.attr("looks")())) {
      looks.of_ranks.push_back({.done = done, .last = last, .others = others, .last_from = from});
    }
    return looks;
  }
  /// `ending()`: bytes sent and received by each process, and how many messages were wrong.
  MatrixEnding end_matrix() override {
    const auto [moved, wrong] =
        nb::cast<std::pair<std::vector<std::pair<Bytes, Bytes>>, std::int64_t>>(
            script_.attr("ending")());
    MatrixEnding ending;
    for (const auto& [sent, received] : moved) {
      ending.moved.push_back({.sent = sent, .received = received});
    }
    ending.check.messages_checked = 100;
    ending.check.wrong_messages = wrong;
    if (wrong > 0) {
      ending.check.first_error = "rank 1, the script";
    }
    return ending;
  }
  void wait_until(Seconds moment) override { elapsed_ = std::max(elapsed_, moment); }
  std::vector<UnitPair> from_rank_0(std::vector<UnitPair> pairs) override { return pairs; }

 private:
  nb::object script_;
  Roofs roofs_;
  Seconds elapsed_ = 0;
};

using Rows = std::vector<std::tuple<int, int, Bytes, std::int64_t>>;

Rows as_tuples(const std::vector<MatrixRow>& list) {
  Rows rows;
  for (const auto& row : list) {
    rows.emplace_back(row.from, row.to, row.bytes, row.count);
  }
  return rows;
}

class ScriptedRun {
 public:
  explicit ScriptedRun(const PlanRequest& request) : plan_(make_plan(request)) {
    if (plan_.matrix) {
      const Preset preset(plan_.matrix->given, plan_.processes, kPresetMessage,
                          plan_.seed.value_or(0));
      plan_matrix(plan_, totals_of_all(plan_.processes, [&](const auto& take) {
                    for (int rank = 0; rank < plan_.processes; ++rank) {
                      std::ranges::for_each(preset.rows_from(rank), take);
                    }
                  }));
    }
  }

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
         .filled = [&](const PerHostResult& row) { append("fill", to_json(row)); },
         .sent = [&](const MatrixLoopResult& loop) { append("loop", to_json(loop)); },
         .sent_all =
             [&](const MatrixRecord& record) { append("matrix", matrix_end_json(record)); }});
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

/// Bisection, processes per host and matrix of a scripted run.
struct Whole {
  bool bisects = false;
  BisectionRequest bisection;
  std::vector<int> per_host;  ///< empty: none
  std::string matrix;         ///< a preset; empty: none
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
                      .per_host = std::nullopt,
                      .matrix = std::nullopt};
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
  if (!whole.matrix.empty()) {
    request.matrix = MatrixRequest{.given = whole.matrix};
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
             int random_halves, Seconds time, const std::vector<int>& per_host,
             const std::string& matrix) {
            new (whole) Whole{.bisects = bisects,
                              .bisection = {.processes = processes,
                                            .first_half = first_half,
                                            .random_halves = random_halves,
                                            .time = time},
                              .per_host = per_host,
                              .matrix = matrix};
          },
          nb::arg("bisects") = true, nb::arg("processes") = 1,
          nb::arg("first_half") = std::vector<int>(), nb::arg("random_halves") = 8,
          nb::arg("time") = 600.0, nb::arg("per_host") = std::vector<int>(),
          nb::arg("matrix") = "");
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
  module.def("preset_rows", [](const std::string& given, int processes, Bytes message,
                               std::uint64_t seed, int rank) {
    const Preset preset(given, processes, message, seed);
    return std::pair(as_tuples(preset.rows_from(rank)), as_tuples(preset.rows_to(rank)));
  });
  module.def("matrix_rows", [](const std::string& text, int processes) {
    std::istringstream stream(text);
    return as_tuples(read_matrix(stream, "matrix", processes));
  });
  module.def("kept_ranks", [](const std::vector<std::int64_t>& single_ns) {
    std::vector<MatrixRank> ranks;
    for (const auto ns : single_ns) {
      ranks.push_back({.rank = static_cast<int>(ranks.size()),
                       .single_ns = ns,
                       .last_ns = std::nullopt,
                       .others_ns = std::nullopt,
                       .last_from = std::nullopt});
    }
    std::vector<int> left;
    for (const auto& rank : kept(std::move(ranks))) {
      left.push_back(rank.rank);
    }
    return left;
  });
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
