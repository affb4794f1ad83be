#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/b_eff/pair_map.hpp"
#include "core/b_eff/protocol.hpp"
#include "core/text_table.hpp"

namespace beff::b_eff {
namespace {

constexpr double kNsPerUs = 1e3;
constexpr std::size_t kShown = 10;

using Median = std::optional<double> UnitMedians::*;

/// The units that have one, the largest first.
std::vector<UnitMedians> largest_first(std::vector<UnitMedians> units, Median median) {
  std::erase_if(units, [&](const UnitMedians& unit) { return !(unit.*median); });
  std::ranges::stable_sort(
      units, [&](const auto& a, const auto& b) { return *(a.*median) > *(b.*median); });
  return units;
}

struct Ranking {
  std::vector<UnitMedians> units;
  Median median;

  [[nodiscard]] std::string cells(std::size_t place, const PairPlan& plan,
                                  const std::vector<Host>& hosts) const {
    if (place >= units.size()) {
      return "";
    }
    const auto& unit = units[place];
    const double middle = *(units[units.size() / 2].*median);
    const double found = *(unit.*median);
    const auto name = plan.unit == PairUnit::kHost
                          ? hosts.at(static_cast<std::size_t>(unit.unit)).name
                          : fmt::format("process {}", unit.unit);
    return fmt::format("  {:<24}{:>12.3f}{:>8}", name, found / kNsPerUs,
                       middle > 0 ? fmt::format("{:.2f}", found / middle) : "-");
  }
};

}  // namespace

std::string pairs_plan_text(const PairPlan& plan) {
  if (!plan.any()) {
    return "Map of pairs: none\n";
  }
  return fmt::format(
      "Map of pairs: {} of {} {}, before and after the patterns, with {} byte and {}; outside the "
      "value\n",
      counted(plan.rounds, "round"), plan.units,
      plan.unit == PairUnit::kHost ? "hosts" : "processes", PairPlan::kSmall,
      format_size(plan.large));
}

std::string pairs_text(const PairPlan& plan, const PairMap& map, const std::vector<Host>& hosts) {
  if (map.looks.empty()) {
    return "Not measured.\n";
  }
  const auto medians = unit_medians(plan, map);
  const Ranking large{.units = largest_first(medians, &UnitMedians::large_ns),
                      .median = &UnitMedians::large_ns};
  const Ranking small{.units = largest_first(medians, &UnitMedians::small_ns),
                      .median = &UnitMedians::small_ns};
  std::string text = fmt::format(
      "Time of an exchange of both ways, median over the pairs of a {}, and relative to the {} in "
      "the middle:\n",
      to_string(plan.unit), to_string(plan.unit));
  text += fmt::format("  {:<24}{:>12}{:>8}", fmt::format("with {}", format_size(plan.large)),
                      "median/us", "rel.");
  text += fmt::format("  {:<24}{:>12}{:>8}\n", fmt::format("with {} byte", PairPlan::kSmall),
                      "median/us", "rel.");
  for (std::size_t place = 0; place < std::min(kShown, large.units.size()); ++place) {
    text += large.cells(place, plan, hosts) + small.cells(place, plan, hosts) + "\n";
  }
  return text + fmt::format(
                    "{} of {}, then {} of single pairs, {:.3f} s. Which are slow, `beff check` "
                    "judges.\n",
                    counted(static_cast<int>(map.looks.size()), "look"),
                    counted(plan.rounds, "round"),
                    counted(static_cast<int>(map.retests.size()), "retest"), map.took);
}

}  // namespace beff::b_eff
