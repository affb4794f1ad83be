#include "core/pairs/measure.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace beff::pairs {
namespace {

class Measuring {
 public:
  Measuring(const Plan& plan, bool records, Machine& machine, Measurement& measured,
            const Hooks& hooks)
      : plan_(&plan), records_(records), machine_(&machine), measured_(&measured), hooks_(&hooks) {}

  Stop run() {
    measured_->roofs = machine_->roofs();
    if (records_) {
      hooks_->roofed(measured_->roofs);
    }
    for (int pass = 0; !ends_before(pass) && goes_on(); ++pass) {
      machine_->wait_until(plan_->begin_of(pass));
      measure_pass(pass);
    }
    if (goes_on()) {
      retest();
    }
    place_.pass = static_cast<int>(measured_->map.passes.size()) + kRetestPasses;
    if (goes_on() && plan_->bisection) {
      bisect();
    }
    ++place_.pass;
    place_.round = 0;
    if (goes_on() && !plan_->per_host.empty()) {
      fill_hosts();
    }
    measured_->complete = goes_on();
    return stop_;
  }

 private:
  [[nodiscard]] bool goes_on() const { return stop_ == Stop::kNo; }
  /// Since the start of the run.
  [[nodiscard]] Seconds elapsed() const { return measured_->map.took; }
  [[nodiscard]] bool ends_before(int pass) const {
    return pass >= plan_->most_passes ||
           (pass >= Plan::kFewestPasses && elapsed() >= plan_->duration);
  }

  /// Lets pairs meet; times on rank 0, empty elsewhere.
  template <class Meet>
  RoundTimes noted(const Meet& meet) {
    if (records_) {
      hooks_->progress(elapsed());
    }
    Meeting meeting = meet();
    stop_ = std::max(stop_, meeting.stop);
    measured_->map.took = meeting.elapsed;
    return std::move(meeting.times);
  }

  RoundTimes meet(const Place& place, const std::vector<UnitPair>& pairs, Ways ways) {
    return noted([&] { return machine_->meet(place, pairs, ways); });
  }

  void measure_pass(int number) {
    const Pass pass(*plan_, number);
    auto& rounds = measured_->map.passes.emplace_back();
    for (int round = 0; round < plan_->rounds_of_pass && goes_on(); ++round) {
      const Place place{.pass = number, .round = round};
      auto times = meet(place, pass.pairs_of_round(round), Ways::kBoth);
      if (records_) {
        hooks_->met(place, rounds.emplace_back(std::move(times)));
      }
    }
  }

  /// One after the other: what a pair loses to others under way, it does not lose alone. Pass by
  /// pass, so that one disturbance does not hit all retests of a pair.
  void retest() {
    const int after_passes = static_cast<int>(measured_->map.passes.size());
    const auto pairs = machine_->from_rank_0(records_ ? pairs_to_retest(*plan_, measured_->map)
                                                      : std::vector<UnitPair>());
    const Seconds end = elapsed() + plan_->duration / 2;
    for (int pass = 0; pass < kRetestPasses && (pass == 0 || elapsed() < end); ++pass) {
      for (std::size_t i = 0; i < pairs.size() && goes_on(); ++i) {
        retest_pair({.pass = after_passes + pass, .round = static_cast<int>(i)}, pairs[i]);
      }
    }
  }

  void retest_pair(const Place& place, const UnitPair& pair) {
    const auto both = meet(place, {pair}, Ways::kBoth);
    const auto there = meet(place, {pair}, Ways::kThere);
    const auto back = meet(place, {pair}, Ways::kBack);
    if (records_) {
      hooks_->retested(measured_->map.retests.emplace_back(Retest{.pair = pair,
                                                                  .both_ways = both.at(0),
                                                                  .there = there.at(0).large,
                                                                  .back = back.at(0).large}));
    }
  }

  /// Times of the pairs on rank 0, empty elsewhere.
  std::vector<std::int64_t> cross(const std::vector<UnitPair>& pairs, int processes,
                                  Traffic traffic) {
    std::vector<std::int64_t> ns;
    for (const auto& times :
         noted([&] { return machine_->cross(place_, pairs, processes, traffic); })) {
      ns.push_back(std::max<std::int64_t>(1, times.large.value()));
    }
    ++place_.round;
    return ns;
  }

  /// Pairs alone, all steps of the first halves within half of its time, then the steps of the
  /// drawn halves in turn.
  void bisect() {
    const auto& bisection = *plan_->bisection;
    auto& record = measured_->network.bisection;
    const Seconds begin = elapsed();
    const auto cross = [&](const std::vector<UnitPair>& pairs) {
      auto ns = this->cross(pairs, bisection.processes, Traffic::kBothWays);
      record.took = elapsed() - begin;
      return ns;
    };
    for (const auto& pair : pairs_alone(*plan_)) {
      if (!goes_on()) {
        return;
      }
      const auto ns = cross({pair});
      if (records_) {
        hooks_->alone(record.alone.emplace_back(AloneResult{.pair = pair, .ns = ns.at(0)}));
      }
    }
    record.halves.resize(1 + static_cast<std::size_t>(bisection.random_halves));
    std::vector<Cut> cuts;
    for (int halves = 0; halves <= bisection.random_halves; ++halves) {
      cuts.push_back(cut_of(*plan_, halves));
    }
    const auto take_step = [&](int halves, int place) {
      const auto& cut = cuts[static_cast<std::size_t>(halves)];
      const auto pairs = cut.pairs_of_step(spread_step(place, cut.steps()));
      const auto ns = cross(pairs);
      if (records_) {
        auto& steps = record.halves[static_cast<std::size_t>(halves)];
        hooks_->stepped(halves, place, steps.emplace_back(step_result(*plan_, pairs, ns)));
      }
    };
    const auto until = [&](Seconds end) { return goes_on() && elapsed() < end; };
    const Seconds middle = begin + bisection.time / 2;
    for (int place = 0; place < cuts.front().steps() && until(middle); ++place) {
      take_step(0, place);
    }
    const Seconds end = begin + bisection.time;
    const int drawn_steps = cuts.back().steps();
    for (int place = 0; place < drawn_steps && until(end); ++place) {
      for (int halves = 1; halves <= bisection.random_halves && until(end); ++halves) {
        take_step(halves, place);
      }
    }
  }

  /// Each number of processes per host.
  void fill_hosts() {
    const auto all = pairs_of_hosts(*plan_);
    std::vector<std::vector<UnitPair>> one_by_one;
    for (const auto& pair : hosts_alone(*plan_)) {
      one_by_one.push_back({pair});
    }
    for (const int processes : plan_->per_host) {
      for (const Traffic traffic : kTraffics) {
        fill({.processes = processes, .traffic = traffic, .alone = true, .ns = {}}, one_by_one);
        if (all.size() > 1) {
          fill({.processes = processes, .traffic = traffic, .alone = false, .ns = {}}, {all});
        }
      }
    }
  }

  /// Lets each of the sets of pairs meet, one after the other; a row that is cut short is lost.
  void fill(PerHostResult row, const std::vector<std::vector<UnitPair>>& sets) {
    for (const auto& pairs : sets) {
      if (!goes_on()) {
        return;
      }
      const auto ns = cross(pairs, row.processes, row.traffic);
      row.ns.insert(row.ns.end(), ns.begin(), ns.end());
    }
    if (records_) {
      hooks_->filled(measured_->network.per_host.emplace_back(std::move(row)));
    }
  }

  const Plan* plan_;
  bool records_;
  Machine* machine_;
  Measurement* measured_;
  const Hooks* hooks_;
  Place place_;  ///< of what is behind the map
  Stop stop_ = Stop::kNo;
};

}  // namespace

Stop measure(const Plan& plan, int rank, Machine& machine, Measurement& measured,
             const Hooks& hooks) {
  return Measuring(plan, rank == 0, machine, measured, hooks).run();
}

}  // namespace beff::pairs
