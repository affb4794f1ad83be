#include "core/pairs/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/benchmark.hpp"
#include "core/random_permutation.hpp"

namespace beff::pairs {
namespace {

/// Where a pattern of b_eff has its id in the seed: that of the first pass.
constexpr int kSeedNumber = 49;
constexpr int kMostNearRounds = 6;

/// Of a round robin by the circle method: with an odd number of places and one in the middle, the
/// units whose places add up to the round meet, and the one that would meet itself meets the middle
/// (where the number of units is odd, nobody stands there: it rests).
int partner_in_circle(int units, int round, int unit) {
  const int places = units % 2 == 0 ? units - 1 : units;
  const int middle = units % 2 == 0 ? units - 1 : -1;
  if (unit == middle) {
    const int half = (places + 1) / 2;  // 2 · half = 1, modulo the places
    return static_cast<int>(std::int64_t{round} * half % places);
  }
  const int partner = (round - unit + places) % places;
  if (partner != unit) {
    return partner;
  }
  return middle < 0 ? unit : middle;
}

/// Bytes of a large message. Throws PlanError.
Bytes large_for(Bytes memory_per_process) {
  constexpr Bytes kMemoryToLarge = 128;  // as L_max of b_eff
  constexpr Bytes kLeast = 4096;
  const Bytes large = std::min(memory_per_process / kMemoryToLarge, Plan::kLargest);
  if (large <= kLeast) {
    throw PlanError(
        "memory-per-process",
        fmt::format("{}: gives large messages of memory / {} = {} byte, which must exceed {} byte; "
                    "b_pairs needs more than {} of memory per process",
                    format_size(memory_per_process), kMemoryToLarge, large, kLeast,
                    format_size(kMemoryToLarge * kLeast)));
  }
  return large;
}

}  // namespace

std::string rounds_text(const std::optional<int>& rounds) {
  return !rounds ? "auto" : *rounds == PlanRequest::kAllRounds ? "all" : fmt::format("{}", *rounds);
}

int rounds_until_all_met(int units) { return units % 2 == 0 ? units - 1 : units; }

bool Plan::all_meet() const { return rounds_of_pass >= rounds_until_all_met(units); }

int Plan::near_rounds() const {
  if (all_meet()) {
    return 0;
  }
  int count = std::min(kMostNearRounds, rounds_of_pass / 2);
  while (count > 0 && (1 << (count - 1)) >= units) {
    --count;  // nobody would meet in it
  }
  return count;
}

Plan make_plan(const PlanRequest& request) {
  Plan plan(request);
  plan.unit = request.hosts > 1 ? PairUnit::kHost : PairUnit::kProcess;
  plan.units = request.hosts > 1 ? request.hosts : request.processes;
  plan.large = large_for(request.memory_per_process);
  const int all = rounds_until_all_met(plan.units);
  const std::int64_t pairs = plan.units / 2;
  const auto fit = std::clamp<std::int64_t>(Plan::kMostEntries / Plan::kFewestPasses / pairs,
                                            Plan::kFewestRounds, Plan::kManyRounds);
  plan.rounds_of_pass = request.rounds                 ? std::min(*request.rounds, all)
                        : plan.units <= Plan::kAllMeet ? all
                                                       : static_cast<int>(fit);
  const auto entries = plan.rounds_of_pass * pairs;
  if (request.rounds && entries > Plan::kMostEntriesOfPass) {
    throw PlanError("rounds",
                    fmt::format("{}: {} rounds of {} pairs are {} in a pass, more than "
                                "the {} that are possible; give at most {} rounds",
                                rounds_text(request.rounds), plan.rounds_of_pass, pairs, entries,
                                Plan::kMostEntriesOfPass, Plan::kMostEntriesOfPass / pairs));
  }
  plan.most_passes = static_cast<int>(std::clamp<std::int64_t>(
      Plan::kMostEntries / entries, Plan::kFewestPasses, Plan::kMostPasses));
  plan_network(plan);
  return plan;
}

Pass::Pass(const Plan& plan, int number)
    : plan_(&plan),
      seed_(pattern_seed(plan.seed.value_or(0), kSeedNumber + number)),
      unit_at_(static_cast<std::size_t>(plan.units)),
      place_of_(unit_at_.size()) {
  const RandomPermutation permuted(seed_, plan.units, kShuffles);
  for (int place = 0; place < plan.units; ++place) {
    const auto unit = static_cast<int>(permuted.at(place));
    unit_at_[static_cast<std::size_t>(place)] = unit;
    place_of_[static_cast<std::size_t>(unit)] = place;
  }
}

int Pass::partner_of(int round, int unit) const {
  if (round < plan_->near_rounds()) {
    const int near = 1 << round;
    const auto drawn = pattern_seed(seed_, round) % static_cast<std::uint64_t>(near);
    const int partner = unit ^ (near + static_cast<int>(drawn));
    return partner < plan_->units ? partner : unit;
  }
  const int place = place_of_[static_cast<std::size_t>(unit)];
  return unit_at_[static_cast<std::size_t>(partner_in_circle(plan_->units, round, place))];
}

std::vector<UnitPair> Pass::pairs_of_round(int round) const {
  std::vector<UnitPair> pairs;
  for (int unit = 0; unit < plan_->units; ++unit) {
    if (const int partner = partner_of(round, unit); unit < partner) {
      pairs.push_back({.first = unit, .second = partner});
    }
  }
  return pairs;
}

Series series_for(Seconds exchange) {
  constexpr Seconds kSeries = 0.4e-3;
  constexpr Seconds kLong = 1e-3;
  constexpr int kMost = 1000;
  const double fit = exchange > 0 ? kSeries / exchange : kMost;
  return {.count = exchange > kLong ? 3 : 5,
          .exchanges = static_cast<int>(std::clamp(std::round(fit), 1.0, double{kMost}))};
}

}  // namespace beff::pairs
