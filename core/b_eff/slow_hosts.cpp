#include "core/b_eff/slow_hosts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

#include "core/b_eff/slow_search.hpp"

namespace beff::b_eff {
namespace {

constexpr double kSureChance = 1e-6;
constexpr int kSurePatterns = 5;

Sweeps sweeps_of(std::span<const Sample> samples, const Units& units, MessageLength messages) {
  const auto range = size_range(messages);
  std::map<std::tuple<int, int, int>, std::vector<int>> slowest;
  for (const auto& sample : samples) {
    if (sample.size >= range.first && sample.size <= range.last) {
      slowest[{sample.pattern, sample.method, sample.repetition}].push_back(
          units.of_rank.at(static_cast<std::size_t>(sample.slowest_rank)));
    }
  }
  Sweeps sweeps;
  for (auto& [key, list] : slowest) {
    sweeps[std::get<0>(key)].push_back(std::move(list));
  }
  return sweeps;
}

std::vector<std::string> names_of(const Units& units, const Environment& environment) {
  std::vector<std::string> names;
  for (int unit = 0; unit < units.count(); ++unit) {
    names.push_back(units.are_hosts ? environment.hosts.at(static_cast<std::size_t>(unit)).name
                                    : fmt::format("rank {}", unit));
  }
  return names;
}

SlowPart part_of(const SlowCandidate& candidate, const Units& units, const Examined& examined) {
  SlowPart part{.units = candidate.units,
                .ranks = {},
                .messages = examined.messages,
                .where = examined.where,
                .factor = candidate.factor(),
                .patterns = static_cast<int>(candidate.excesses.size()),
                .patterns_slow = candidate.slow_in(),
                .sweeps = candidate.sweeps.number,
                .sweeps_slow = candidate.sweeps.slow,
                .sweeps_by_chance = candidate.sweeps.expected,
                .chance = candidate.chance,
                .alternatives = candidate.alternatives};
  for (const int unit : candidate.units) {
    std::ranges::copy(units.ranks.at(static_cast<std::size_t>(unit)),
                      std::back_inserter(part.ranks));
  }
  return part;
}

bool is_oversubscribed(const Environment& environment, const Units& units) {
  return environment.oversubscribed && !units.are_hosts;
}

std::string why_unknown(const Environment& environment, const Units& units,
                        const ProcessTimes& times) {
  constexpr int kFewestUnits = 4;
  const std::string_view kind = units.are_hosts ? "host" : "process";
  if (!times.known()) {
    return "the run ended before the times of the single processes were gathered";
  }
  if (is_oversubscribed(environment, units)) {
    return "the processes take turns on too few cores, which makes any of them slow at times";
  }
  if (units.count() < kFewestUnits) {
    return fmt::format("with {} {}{} each of them waits for the slowest in every pattern",
                       units.count(), kind, units.are_hosts ? "s" : "es");
  }
  return fmt::format(
      "too few of the measured patterns load some {} alike without making all of "
      "them wait for each other",
      units.are_hosts ? "hosts" : "processes");
}

}  // namespace

bool SlowPart::sure() const {
  return chance <= kSureChance && patterns >= kSurePatterns && alternatives.empty();
}

bool SlowHosts::doubtful() const {
  return found.empty() &&
         std::ranges::any_of(examined, [](const Examined& e) { return !e.suspected.empty(); });
}

SlowHosts find_slow_hosts(const Plan& plan, const Environment& environment,
                          const ProcessTimes& times, std::span<const Sample> samples) {
  SlowHosts slow;
  slow.units = units_of(environment);
  slow.names = names_of(slow.units, environment);
  bool network = false;
  if (times.known() && !is_oversubscribed(environment, slow.units)) {
    for (const MessageLength messages : {MessageLength::kLong, MessageLength::kShort}) {
      const auto comparisons = compare(plan, slow.units, times, messages);
      const auto sweeps = sweeps_of(samples, slow.units, messages);
      for (const Where where : {Where::kNetwork, Where::kInside}) {
        const SlowSearch one(comparisons, where, sweeps);
        const auto comparable = one.comparable(slow.units.count());
        if (comparable.empty()) {
          continue;
        }
        const auto judgement = one.judge(comparable);
        const Examined examined{.messages = messages,
                                .where = where,
                                .patterns = one.patterns(),
                                .units = static_cast<int>(comparable.size()),
                                .suspected = judgement.suspected};
        slow.examined.push_back(examined);
        network = network || where == Where::kNetwork;
        for (const auto& candidate : judgement.found) {
          slow.found.push_back(part_of(candidate, slow.units, examined));
        }
      }
    }
  }
  if (!network) {
    slow.unknown_because = why_unknown(environment, slow.units, times);
  }
  return slow;
}

}  // namespace beff::b_eff
