#include "core/b_eff/pair_plan.hpp"

#include <algorithm>
#include <cmath>

#include "core/random_permutation.hpp"

namespace beff::b_eff {
namespace {

/// Where a pattern has its id; no random ring has this one.
constexpr int kSeedNumber = 49;

/// Distances 1, 2, 4 … below the number of units.
int power_rounds(int units) {
  int rounds = 0;
  while ((1 << rounds) < units) {
    ++rounds;
  }
  return rounds;
}

/// Itself for a unit that rests, here and below.
int partner_at_distance(int units, int distance, int unit) {
  const int partner = unit ^ distance;
  return partner < units ? partner : unit;
}

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

}  // namespace

int rounds_until_all_met(int units) { return units % 2 == 0 ? units - 1 : units; }

PairPlan plan_pairs(const PairRequest& request, int processes, int hosts, Bytes lmax,
                    std::optional<std::uint64_t> run_seed) {
  PairPlan plan{.unit = hosts > 1 ? PairUnit::kHost : PairUnit::kProcess,
                .units = hosts > 1 ? hosts : processes,
                .rounds = 0,
                .large = std::min(lmax, PairPlan::kLargest),
                .seed = pattern_seed(run_seed.value_or(0), kSeedNumber)};
  const int all = rounds_until_all_met(plan.units);
  switch (request.kind) {
    case PairRequest::Kind::kAuto:
      if (plan.units >= PairPlan::kFewestUnits) {
        plan.rounds = plan.units <= PairPlan::kAllMeet ? all : PairPlan::kManyRounds;
      }
      break;
    case PairRequest::Kind::kAll:
      plan.rounds = all;
      break;
    case PairRequest::Kind::kRounds:
      plan.rounds = std::min(request.rounds, all);
      break;
    case PairRequest::Kind::kNone:
      break;
  }
  return plan;
}

std::vector<UnitPair> pairs_of_round(const PairPlan& plan, int round) {
  const int all = rounds_until_all_met(plan.units);
  const bool all_meet = plan.rounds >= all;
  const bool at_distance = !all_meet && round < power_rounds(plan.units);
  const int in_circle =
      all_meet ? round : static_cast<int>(RandomPermutation(plan.seed, all).at(round));
  std::vector<UnitPair> pairs;
  for (int unit = 0; unit < plan.units; ++unit) {
    const int partner = at_distance ? partner_at_distance(plan.units, 1 << round, unit)
                                    : partner_in_circle(plan.units, in_circle, unit);
    if (unit < partner) {
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

}  // namespace beff::b_eff
