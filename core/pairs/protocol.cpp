#include "core/pairs/result.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/benchmark.hpp"
#include "core/record/result.hpp"

namespace beff::pairs {
namespace {

constexpr std::size_t kShown = 10;

std::string units_text(const Plan& plan) {
  return plan.unit == PairUnit::kHost ? counted(plan.units, "host")
                                      : fmt::format("{} processes", plan.units);
}

UnitNames names_of(const Plan& plan, const Environment& environment) {
  UnitNames names;
  for (int unit = 0; unit < plan.units; ++unit) {
    names.of_units.push_back(plan.unit == PairUnit::kHost
                                 ? environment.hosts.at(static_cast<std::size_t>(unit)).name
                                 : fmt::format("rank {}", unit));
  }
  return names;
}

/// The slowest units, with their medians relative to the one in the middle.
std::string slowest_text(const Plan& plan, const PairMap& map, const UnitNames& names,
                         Nanoseconds PairTimes::* time, Bytes size) {
  const auto units = unit_medians(plan, map, time);
  std::string text =
      fmt::format("{:<32}{:>14}{:>10}\n", fmt::format("{} both ways", format_size(size)),
                  "median/us", "relative");
  for (std::size_t place = 0; place < std::min(kShown, units.size()); ++place) {
    const auto& [unit, ns] = units[place];
    const double middle = units[units.size() / 2].ns;
    text += fmt::format("  {:<30}{:>14.3f}{:>10}\n", names.of_unit(unit), ns / kNsPerUs,
                        middle > 0 ? fmt::format("{:.2f}", ns / middle) : "-");
  }
  return text;
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
  const auto& measured = result.measurement;
  const auto& map = measured.map;
  const auto names = names_of(plan, result.environment);
  std::string text =
      head_text(result) +
      heading("The slowest by plain medians; `beff nodes` and `beff check` judge") +
      slowest_text(plan, map, names, &PairTimes::large, plan.large) +
      slowest_text(plan, map, names, &PairTimes::small, Plan::kSmall) +
      fmt::format("{}, {}, {:.3f} s\n", counted(static_cast<int>(map.passes.size()), "pass"),
                  counted(static_cast<int>(map.retests.size()), "retest"), map.took) +
      network_text(plan, measured.network, names) + heading("What the hardware allows") +
      roofs_text(measured.roofs, result.environment.hosts) + counters_text(result, measured) + "\n";
  if (const auto& found = map.no_answer) {
    for (const int unit : found->silent) {
      text += fmt::format("NO ANSWER: {}\n", names.of_unit(unit));
    }
    for (const auto& [first, second] : found->waiting) {
      text += fmt::format("NO ANSWER: {} and {} wait for each other\n", names.of_unit(first),
                          names.of_unit(second));
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
