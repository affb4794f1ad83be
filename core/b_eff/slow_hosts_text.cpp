#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "core/b_eff/slow_hosts.hpp"
#include "core/record/json.hpp"
#include "core/units/quantity_text.hpp"

namespace beff::b_eff {
namespace {

std::string_view name_of(Where where) { return where == Where::kNetwork ? "network" : "inside"; }

std::string_view verdict(const SlowHosts& slow) {
  if (slow.examined.empty() || slow.doubtful()) {
    return "cannot be said";
  }
  return slow.found.empty() ? "none found" : "found";
}

Json names_json(const SlowHosts& slow, const std::vector<int>& units) {
  Json names = Json::array();
  for (const int unit : units) {
    names.push_back(slow.names.at(static_cast<std::size_t>(unit)));
  }
  return names;
}

std::string_view kind(const SlowHosts& slow, const SlowPart& part) {
  if (part.is_link()) {
    return "link";
  }
  return slow.units.are_hosts ? "host" : "process";
}

std::string joined_names(const SlowHosts& slow, const std::vector<int>& units,
                         std::string_view between) {
  std::string text;
  for (const int unit : units) {
    text += text.empty() ? "" : between;
    text += slow.names.at(static_cast<std::size_t>(unit));
  }
  return text;
}

std::string subject(const SlowHosts& slow, const SlowPart& part) {
  const auto name = joined_names(slow, part.units, " and ");
  if (part.is_link()) {
    return fmt::format("The link between {} is slow", name);
  }
  const std::string_view unit = slow.units.are_hosts ? "Host" : "Process";
  if (part.where == Where::kInside) {
    return fmt::format("{} {} is slow inside", unit, name);
  }
  return fmt::format("{} {} or one of its links is slow", unit, name);
}

std::string sentences(const SlowHosts& slow, const SlowPart& part) {
  auto text = fmt::format(
      "{}: {} messages took {:.2f} times as long as with its like, at least {} times in {} of the "
      "{} patterns that can tell; in {} of {} sweeps through the message sizes the slowest process "
      "was there or waited for it, {:.1f} expected by chance. Confidence: {}.",
      subject(slow, part), size_range(part.messages).name, part.factor, kSlowFactor,
      part.patterns_slow, part.patterns, part.sweeps_slow, part.sweeps, part.sweeps_by_chance,
      part.sure() ? "high" : "moderate");
  if (!part.alternatives.empty()) {
    text += fmt::format(" It may as well be {}: the patterns cannot tell them apart.",
                        joined_names(slow, part.alternatives, ", "));
  }
  return text;
}

std::string examined_text(const SlowHosts& slow) {
  std::string text;
  for (const auto& e : slow.examined) {
    text += text.empty() ? "" : "; ";
    text += fmt::format("{} of {} {} by {} messages {} in {}", e.units, slow.units.count(),
                        slow.units.are_hosts ? "hosts" : "processes", size_range(e.messages).name,
                        e.where == Where::kNetwork ? "between them" : "inside them",
                        counted(e.patterns, "pattern"));
  }
  return text;
}

std::string none_found(const SlowHosts& slow) {
  return fmt::format(
      "No slow {} found. Compared were {}; none took {} times as long as its like in four of five "
      "of them.",
      slow.units.are_hosts ? "host or link" : "process", examined_text(slow), kSlowFactor);
}

std::string too_noisy(const SlowHosts& slow) {
  std::string suspects;
  for (const auto& e : slow.examined) {
    if (!e.suspected.empty()) {
      suspects += fmt::format("{}{} by {} messages {}", suspects.empty() ? "" : "; ",
                              joined_names(slow, e.suspected, ", "), size_range(e.messages).name,
                              e.where == Where::kNetwork ? "between them" : "inside them");
    }
  }
  return fmt::format(
      "Whether some {0} is slower than the others cannot be said: {1} took at least {2} times as "
      "long as others like it in four of five patterns, but other {0}{3} did so too often for this "
      "to tell. A run on a quieter machine could. Compared were {4}.",
      slow.units.are_hosts ? "host" : "process", suspects, kSlowFactor,
      slow.units.are_hosts ? "s" : "es", examined_text(slow));
}

}  // namespace

std::string statement(const SlowHosts& slow) {
  const std::string_view unit = slow.units.are_hosts ? "host" : "process";
  if (slow.examined.empty()) {
    return fmt::format("Whether some {} is slower than the others cannot be said: {}.", unit,
                       slow.unknown_because);
  }
  std::string text;
  if (slow.found.empty()) {
    text = slow.doubtful() ? too_noisy(slow) : none_found(slow);
  }
  for (const auto& part : slow.found) {
    text += (text.empty() ? "" : " ") + sentences(slow, part);
  }
  if (!slow.found.empty()) {
    text += fmt::format(
        " Another job, a longer path or a thin link that only such a {} uses would look the same; "
        "a less slow one can be hidden behind it.",
        unit);
  }
  if (!slow.unknown_because.empty()) {
    text += fmt::format(" Of the network nothing can be said: {}.", slow.unknown_because);
  }
  return text;
}

Json to_json(const SlowHosts& slow) {
  Json examined = Json::array();
  for (const auto& e : slow.examined) {
    examined.push_back({{"messages", size_range(e.messages).name},
                        {"where", name_of(e.where)},
                        {"patterns", e.patterns},
                        {"units", e.units},
                        {"suspected", names_json(slow, e.suspected)}});
  }
  Json found = Json::array();
  for (const auto& part : slow.found) {
    found.push_back({{"kind", kind(slow, part)},
                     {"name", joined_names(slow, part.units, " and ")},
                     {"ranks", part.ranks},
                     {"messages", size_range(part.messages).name},
                     {"where", name_of(part.where)},
                     {"factor", part.factor},
                     {"confidence", part.sure() ? "high" : "moderate"},
                     {"patterns", part.patterns},
                     {"patterns_slow", part.patterns_slow},
                     {"sweeps", part.sweeps},
                     {"sweeps_slow", part.sweeps_slow},
                     {"sweeps_by_chance", part.sweeps_by_chance},
                     {"chance", part.chance},
                     {"alternatives", names_json(slow, part.alternatives)}});
  }
  return {{"unit", slow.units.are_hosts ? "host" : "process"},
          {"verdict", verdict(slow)},
          {"statement", statement(slow)},
          {"examined", std::move(examined)},
          {"found", std::move(found)}};
}

}  // namespace beff::b_eff
