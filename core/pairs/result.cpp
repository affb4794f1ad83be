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

Criterion look_at_passes(const Run& run) {
  const auto whole = std::ranges::count_if(run.measured.map.passes, [&](const auto& pass) {
    return std::cmp_equal(pass.size(), run.plan.rounds_of_pass);
  });
  return {.required = Plan::kFewestPasses,
          .found = static_cast<double>(whole),
          .met = run.measured.complete};
}

constexpr std::array kRules{
    Rule<Run>{"passes", look_at_passes},
    Rule<Run>{"build", [](const Run& run) { return look_at_build(run.environment); }},
    Rule<Run>{"machine", [](const Run& run) { return look_at_machine(run.environment); }},
};

std::vector<Statement> cautions_of(const Plan& plan, const Environment& environment,
                                   const Measurement& measured) {
  std::vector<Statement> found;
  if (measured.stopped_by) {
    found.push_back({"stopped", {{"by", *measured.stopped_by}}});
  }
  if (measured.complete && plan.bisection) {
    const auto steps = measured.network.bisection.steps();
    if (const auto planned = bisection_steps(plan); steps < planned) {
      found.push_back({"short bisection", {{"steps", steps}, {"planned", planned}}});
    }
  }
  add_host_cautions(found, environment);
  add_wires_cautions(found, measured.wires, environment.hosts);
  return found;
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

Json no_answer_json(const std::optional<NoAnswer>& found) {
  if (!found) {
    return nullptr;
  }
  const auto both = [](const UnitPair& pair) { return Json{pair.first, pair.second}; };
  return {{"pass", found->pass},
          {"round", found->round},
          {"silent", found->silent},
          {"waiting", json_list(found->waiting, both)}};
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
  if (plan.bisection || plan.per_host) {
    const auto& bisection = network.bisection;
    add("alone", bisection.alone, &AloneResult::ns);
    add("slowest_ns", bisection.halves | std::views::join, &StepResult::slowest_ns);
    if (plan.bisection) {
      add("mean_ns", bisection.halves | std::views::join, &StepResult::mean_ns);
    }
    add("sum_MBps", bisection.halves | std::views::join, &StepResult::sum_MBps);
    add("per_host",
        network.per_host.rows | std::views::transform(&PerHostResult::ns) | std::views::join,
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
  json.update(Json{
      {"summary", summary_json(plan, result.measurement)},
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
       {{"algorithm", "fnv1a64"}, {"samples", digest(plan, map, result.measurement.network)}}}});
  return json;
}

namespace {

/// The rate that most hosts have.
double usual_rate_MBps(const Roofs& roofs) {
  std::map<double, int> hosts_with;
  for (const auto& host : roofs.of_hosts) {
    ++hosts_with[host.rate_MBps()];
  }
  const auto most = std::ranges::max_element(
      hosts_with, {}, [](const auto& entry) { return std::pair(entry.second, entry.first); });
  return most == hosts_with.end() ? 0 : most->first;
}

std::string hosts_text(const Roofs& roofs, const std::vector<Host>& hosts) {
  const double usual = usual_rate_MBps(roofs);
  std::string text;
  for (const auto& [names, hardware] : equal_hosts(hosts, roofs.of_hosts)) {
    for (const auto& port : hardware.network) {
      text += fmt::format(
          "  {}: {} {}, {}{}\n", names, port.kind, port.name, port.state,
          port.rate_MBps ? fmt::format(", {:.4g} GB/s", *port.rate_MBps / kMBPerGB) : "");
    }
    if (const double rate = hardware.rate_MBps(); rate != usual) {
      const auto rate_text = [](double MBps) {
        return MBps > 0 ? fmt::format("{:.4g} GB/s", MBps / kMBPerGB) : std::string("not known");
      };
      text += fmt::format("  {}: rate {}, of most others {}\n", names, rate_text(rate),
                          rate_text(usual));
    }
    for (const auto& device : hardware.pcie_below_maximum) {
      text += fmt::format("  {}: PCIe below its maximum: {}\n", names, device);
    }
  }
  return text;
}

}  // namespace

Json to_json(const Roofs& roofs, const std::vector<Host>& hosts) {
  if (!roofs.any()) {
    return nullptr;
  }
  const auto group_json = [](const HostGroup& group) {
    Json entry = {{"hosts", group.hosts}};
    entry.update(beff::to_json(group.hardware));
    return entry;
  };
  return {{"copy_MBps_per_process", or_null(roofs.copy_MBps_per_process)},
          {"hosts", json_list(equal_hosts(hosts, roofs.of_hosts), group_json)},
          {"took_s", roofs.took}};
}

std::string roofs_text(const Roofs& roofs, const std::vector<Host>& hosts) {
  std::string text;
  if (roofs.copy_MBps_per_process) {
    text += fmt::format("Memory to memory each process copies {:.3g} GB/s, all at the same time\n",
                        *roofs.copy_MBps_per_process / kMBPerGB);
  }
  return text + hosts_text(roofs, hosts);
}

}  // namespace beff::pairs
