#include "core/pairs/result.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <ranges>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/benchmark.hpp"
#include "core/record/columns.hpp"
#include "core/record/json.hpp"
#include "core/units/quantity_text.hpp"

namespace beff::pairs {
namespace {

/// What a criterion is judged by.
struct Run {
  const Plan& plan;
  const Environment& environment;
  const Measurement& measured;
};

Criterion judge_passes(const Run& run) {
  const auto whole = std::ranges::count_if(run.measured.map.passes, [&](const auto& pass) {
    return std::cmp_equal(pass.size(), run.plan.rounds_of_pass);
  });
  return {.required = Plan::kFewestPasses,
          .found = static_cast<double>(whole),
          .met = run.measured.complete};
}

constexpr std::array kRules{
    Rule<Run>{"passes", judge_passes},
    Rule<Run>{"build", [](const Run& run) { return judge_build(run.environment); }},
    Rule<Run>{"machine", [](const Run& run) { return judge_machine(run.environment); }},
};

std::vector<Statement> cautions_of(const Plan& plan, const Environment& environment,
                                   const Measurement& measured) {
  std::vector<Statement> cautions;
  if (measured.stopped_by) {
    cautions.push_back({"stopped", {{"by", *measured.stopped_by}}});
  }
  if (measured.complete && plan.bisection) {
    const auto steps = measured.network.bisection.steps();
    if (const auto planned = bisection_steps(plan); steps < planned) {
      cautions.push_back({"short bisection", {{"steps", steps}, {"planned", planned}}});
    }
  }
  add_host_cautions(cautions, environment);
  return cautions;
}

}  // namespace

Result make_result(const Plan& plan, ResultHead head, Measurement measurement) {
  Result result{std::move(head), std::move(measurement)};
  result.criteria = judged_by(kRules, Run{plan, result.environment, result.measurement});
  add_device_criteria(result.criteria, result.environment);
  result.cautions = cautions_of(plan, result.environment, result.measurement);
  return result;
}

namespace {

using Time = Nanoseconds PairTimes::*;

/// Whole ns with blanks between them, `-` where not measured: a column of numbers in the least
/// space that a reader can read.
template <class Range, class Get>
std::string column(const Range& range, const Get& get) {
  return fmt::format("{}", fmt::join(range | std::views::transform([&](const auto& entry) {
                                       const Nanoseconds ns = std::invoke(get, entry);
                                       return ns ? fmt::format("{}", *ns) : std::string("-");
                                     }),
                                     " "));
}

Json passes_json(const PairMap& map, Time time) {
  return json_list(map.passes, [&](const std::vector<RoundTimes>& pass) {
    return json_list(pass, [&](const RoundTimes& round) { return column(round, time); });
  });
}

constexpr std::tuple kRetestColumns{
    Column{"first", [](const Retest& retest) { return retest.pair.first; }},
    Column{"second", [](const Retest& retest) { return retest.pair.second; }},
    Column{"small_ns", [](const Retest& retest) { return retest.both_ways.small; }},
    Column{"large_ns", [](const Retest& retest) { return retest.both_ways.large; }},
    Column{"there_ns", &Retest::there},
    Column{"back_ns", &Retest::back},
};

Json no_answer_json(const std::optional<NoAnswer>& no_answer) {
  if (!no_answer) {
    return nullptr;
  }
  const auto both = [](const UnitPair& pair) { return Json{pair.first, pair.second}; };
  return {{"pass", no_answer->pass},
          {"round", no_answer->round},
          {"silent", no_answer->silent},
          {"waiting", json_list(no_answer->waiting, both)}};
}

Json summary_json(const Plan& plan, const Measurement& measured) {
  const auto [bandwidth, latency] = medians_of(plan, measured.map);
  Json summary = {{"pair_MBps", or_null(bandwidth)}, {"latency_us", or_null(latency)}};
  summary.update(network_summary(plan, measured.network));
  return summary;
}

/// What is not measured leaves the digest as it is.
std::string digest(const Plan& plan, const PairMap& map, const NetworkRecord& network) {
  Digest digest;
  const auto add = [&](std::string_view name, auto&& rows, const auto& get) {
    digest.add(name);
    for (const auto& row : rows) {
      digest.add(std::invoke(get, row));
    }
  };
  for (const auto& [name, time] :
       {std::pair("small_ns", &PairTimes::small), std::pair("large_ns", &PairTimes::large)}) {
    add(name, map.passes | std::views::join,
        [&](const RoundTimes& round) { return column(round, time); });
  }
  if (plan.bisection || !plan.per_host.empty()) {
    const auto& bisection = network.bisection;
    add("alone", bisection.alone, &AloneResult::ns);
    add("slowest_ns", bisection.halves | std::views::join, &StepResult::slowest_ns);
    if (plan.bisection) {
      add("mean_ns", bisection.halves | std::views::join, &StepResult::mean_ns);
    }
    add("sum_MBps", bisection.halves | std::views::join, &StepResult::sum_MBps);
    add("per_host", network.per_host | std::views::transform(&PerHostResult::ns) | std::views::join,
        std::identity());
  }
  return digest.hex();
}

Json plan_fields(const Plan& plan) {
  return {{"unit", to_string(plan.unit)},
          {"units", plan.units},
          {"per_host", to_string(plan.map_per_host)},
          {"rounds", plan.rounds_of_pass},
          {"small_bytes", Plan::kSmall},
          {"large_bytes", plan.large},
          {"duration_s", plan.duration},
          {"most_passes", plan.most_passes},
          {"bisection", bisection_plan_json(plan)},
          {"processes_per_host", per_host_plan_json(plan)}};
}

}  // namespace

Json plan_json(const Plan& plan) { return {{"plan", plan_fields(plan)}}; }

Json to_json(const Place& place, const RoundTimes& times) {
  return {{"pass", place.pass},
          {"round", place.round},
          {"small_ns", column(times, &PairTimes::small)},
          {"large_ns", column(times, &PairTimes::large)}};
}

Json to_json(const Retest& retest) { return row_json(retest, kRetestColumns); }

Json to_json(const Plan& plan, const Result& result) {
  const auto& map = result.measurement.map;
  auto json = head_json(result, result.measurement, "1");
  json.update(
      Json{{"summary", summary_json(plan, result.measurement)},
           {"plan", plan_fields(plan)},
           {"passes",
            {{"small_ns", passes_json(map, &PairTimes::small)},
             {"large_ns", passes_json(map, &PairTimes::large)}}},
           {"retests", table_json(map.retests, kRetestColumns)},
           {"bisection", bisection_json(plan, result.measurement.network.bisection)},
           {"per_host", per_host_json(plan, result.measurement.network.per_host)},
           {"no_answer", no_answer_json(map.no_answer)},
           {"roofs", to_json(result.measurement.roofs, result.environment.hosts)},
           {"took_s", map.took},
           {"digest",
            {{"algorithm", "crc32"}, {"samples", digest(plan, map, result.measurement.network)}}}});
  return json;
}

Json to_json(const Roofs& roofs, const std::vector<Host>& hosts) {
  if (!roofs.copy_MBps_per_process && roofs.of_hosts.empty()) {
    return nullptr;
  }
  const auto key = [](const HostHardware& hardware) { return json_text(beff::to_json(hardware)); };
  const auto group_json = [](const HostGroup& group) {
    Json entry = {{"hosts", group.hosts}};
    entry.update(beff::to_json(group.hardware));
    return entry;
  };
  return {{"copy_MBps_per_process", or_null(roofs.copy_MBps_per_process)},
          {"hosts", json_list(grouped<HostGroup>(hosts, roofs.of_hosts, key), group_json)},
          {"took_s", roofs.took}};
}

namespace {

std::string units_text(const Plan& plan) {
  return plan.unit == PairUnit::kHost ? counted(plan.units, "host")
                                      : fmt::format("{} processes", plan.units);
}

}  // namespace

std::string plan_text(const Plan& plan, std::optional<Seconds> time_limit) {
  std::string text = fmt::format("Plan of b_pairs for {} processes\n", plan.processes);
  text +=
      fmt::format("{} meet in {} of a pass{}, with {} byte and {} both ways\n", units_text(plan),
                  counted(plan.rounds_of_pass, "round"), plan.all_meet() ? ", each with each" : "",
                  Plan::kSmall, format_size(plan.large));
  text += fmt::format(
      "Passes: as many as {} take, at least {}, at most {}; then what looks slow "
      "again, alone\n",
      format_duration(plan.duration), Plan::kFewestPasses, plan.most_passes);
  text += network_plan_text(plan);
  text += plan.seed ? fmt::format("Seed of the rounds: {}\n", *plan.seed)
                    : "Seed of the rounds: new in each run, unless given\n";
  return text + (time_limit ? fmt::format("Time limit: {}\n", format_duration(*time_limit))
                            : "Time limit: none\n");
}

std::string summary_text(const Plan& plan, const Result& result) {
  const auto& map = result.measurement.map;
  auto text = fmt::format("{}{}, {}, {:.3f} s; `beff nodes` and `beff check` say what is slow\n{}",
                          head_text(result), counted(std::ssize(map.passes), "pass"),
                          counted(std::ssize(map.retests), "retest"), map.took,
                          load_line(result, result.measurement));
  const auto name_of = [&](int unit) {
    return plan.unit == PairUnit::kHost
               ? result.environment.hosts.at(static_cast<std::size_t>(unit)).name
               : fmt::format("rank {}", unit);
  };
  if (const auto& no_answer = map.no_answer) {
    for (const int unit : no_answer->silent) {
      text += fmt::format("NO ANSWER: {}\n", name_of(unit));
    }
    for (const auto& [first, second] : no_answer->waiting) {
      text += fmt::format("NO ANSWER: {} and {} wait for each other\n", name_of(first),
                          name_of(second));
    }
  }
  return text + doubts_text(result, "NOT VALID");
}

std::string protocol_text(const Plan& plan, const Result& result) {
  return plan_text(plan, result.time_limit) + "\n" + summary_text(plan, result) + "\n" +
         last_line(plan, result) + "\n";
}

std::string last_line(const Plan& plan, const Result& result) {
  const auto [bandwidth, latency] = medians_of(plan, result.measurement.map);
  return fmt::format("b_pairs = {} MB/s each way, {} us per exchange{}, of {} on {}{}",
                     cell(bandwidth, 0), cell(latency, 0),
                     network_words(plan, result.measurement.network), units_text(plan),
                     machine_text(result.environment.uname), result.valid() ? "" : " -- NOT VALID");
}

}  // namespace beff::pairs
