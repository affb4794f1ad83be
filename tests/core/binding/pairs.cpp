// The core of b_pairs.
#include <algorithm>
#include <memory>

#include "core/pairs/measure.hpp"
#include "core/pairs/network_plan.hpp"
#include "core/pairs/result.hpp"
#include "entry.hpp"

namespace beff {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Port, name, kind, rate_MBps, state)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(HostHardware, network, pcie_below_maximum)

}  // namespace beff

namespace beff::pairs {

void to_json(Json& list, const UnitPair& pair) { list = {pair.first, pair.second}; }
void to_json(Json& list, const Series& series) { list = {series.count, series.exchanges}; }
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(BisectionRequest, processes, first_half,
                                                random_halves, time)

/// `rounds` is "auto", "all" or a number; `per_host` a list.
void from_json(const Json& fields, PlanRequest& request) {
  request.processes = fields.at("processes");
  request.hosts = fields.value("hosts", 1);
  request.fewest_per_host = request.processes / request.hosts;
  request.memory_per_process = fields.value("memory", kGiB);
  request.seed = fields.value("seed", std::uint64_t{1});
  request.duration = fields.value("duration", PlanRequest::kDuration);
  if (const auto rounds = fields.value("rounds", Json("auto")); rounds != "auto") {
    request.rounds = rounds == "all" ? PlanRequest::kAllRounds : rounds.get<int>();
  }
  if (fields.contains("bisection")) {
    request.bisection = fields.at("bisection").get<BisectionRequest>();
  }
  request.per_host = fields.value("per_host", request.per_host);
}

namespace {

using Times = std::vector<std::pair<Nanoseconds, Nanoseconds>>;  ///< small and large

/// A machine that is a script: asked for `[verb, arguments]` it gives `[answer, whether to stop]`.
/// Everything takes a second.
class ScriptedMachine : public Machine {
 public:
  explicit ScriptedMachine(const std::vector<HostHardware>& hosts) { roofs_.of_hosts = hosts; }

  Roofs roofs() override { return roofs_; }
  /// `times`: ns of each pair.
  Meeting meet(const Place& place, const std::vector<UnitPair>& pairs, Ways ways) override {
    constexpr const char* kWays[] = {"both", "there", "back"};
    const auto [times, stop] =
        reply<Times>("times", {place.pass, place.round, pairs, kWays[static_cast<int>(ways)]});
    Meeting meeting{.times = {}, .elapsed = elapsed_, .stop = stop};
    for (const auto& [small, large] : times) {
      meeting.times.push_back({.small = small, .large = large});
    }
    return meeting;
  }
  /// `crosses`: ns of each pair.
  Meeting cross(const Place& place, const std::vector<UnitPair>& pairs, int processes,
                Traffic traffic) override {
    const auto [times, stop] = reply<std::vector<std::int64_t>>(
        "crosses", {place.pass, place.round, pairs, processes, to_string(traffic)});
    Meeting meeting{.times = {}, .elapsed = elapsed_, .stop = stop};
    for (const auto time : times) {
      meeting.times.push_back({.small = std::nullopt, .large = time});
    }
    return meeting;
  }
  void wait_until(Seconds moment) override { elapsed_ = std::max(elapsed_, moment); }
  std::vector<UnitPair> from_rank_0(std::vector<UnitPair> pairs) override { return pairs; }

 private:
  template <class Answer>
  std::pair<Answer, Stop> reply(const char* verb, const Json& arguments) {
    elapsed_ += 1;
    const auto [answer, stops] = testing::ask({verb, arguments}).get<std::pair<Answer, bool>>();
    return {answer, stops ? Stop::kSignal : Stop::kNo};
  }

  Roofs roofs_;
  Seconds elapsed_ = 0;
};

Result result_of(const Plan& plan, const Measurement& measurement) {
  const Json options = {{"seed", plan.seed.value_or(0)}};
  return make_result(
      plan,
      {.program = {.name = "b_pairs", .version = "0", .git_commit = "unknown"},
       .environment = testing::scripted_environment("b_pairs", plan.processes, plan.hosts,
                                                    plan.memory_per_process, measurement.map.took),
       .options = std::make_shared<const Json>(options)},
      measurement);
}

/// What a run records and prints, and the lines of its journal behind the first.
Json run(const PlanRequest& request, const std::vector<HostHardware>& hosts) {
  const auto plan = make_plan(request);
  ScriptedMachine machine(hosts);
  Measurement measurement;
  std::string journal;
  const auto append = [&](const char* name, const Json& row) {
    journal += Json{{name, row}}.dump() + "\n";
  };
  measure(plan, 0, machine, measurement,
          {.met = [&](const Place& place,
                      const RoundTimes& times) { append("round", to_json(place, times)); },
           .retested = [&](const Retest& retest) { append("retest", to_json(retest)); },
           .alone = [&](const AloneResult& alone) { append("alone", to_json(alone)); },
           .stepped = [&](int halves, int place,
                          const StepResult& step) { append("step", to_json(halves, place, step)); },
           .filled = [&](const PerHostResult& row) { append("fill", to_json(row)); }});
  if (!measurement.complete) {
    measurement.stopped_by = "the script ended";
  }
  const auto result = result_of(plan, measurement);
  return {{"result", to_json(plan, result)},
          {"protocol", protocol_text(plan, result)},
          {"journal", journal}};
}

/// The result of a run that has only begun.
Json begun(const PlanRequest& request) {
  const auto plan = make_plan(request);
  return to_json(plan, result_of(plan, {}));
}

}  // namespace
}  // namespace beff::pairs

beff::testing::Computations beff::testing::computations_of_pairs() {
  using namespace pairs;  // NOLINT(google-build-using-namespace)
  return {
      {"pairs.begun", over(&begun)},
      {"pairs.run", over(&run)},
      {"pairs.half_by_switches", over(&half_by_switches)},
      {"pairs.bisection_time", over([](const PlanRequest& request, double MBps) {
         return bisection_time(make_plan(request), MBps);
       })},
      {"pairs.series_beside", over(&series_beside)},
      {"pairs.series_for", over(&series_for)},
  };
}
