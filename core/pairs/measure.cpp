#include "core/pairs/measure.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace beff::pairs {
namespace {

/// What the map leaves to what follows it.
struct NetworkTask {
  const Plan* plan;
  bool records;  ///< on rank 0, whose hooks are called
  Machine* machine;
  NetworkRecord* record;
  const Hooks* hooks;
  int first_pass;  ///< of what a hang names
  Seconds* took;   ///< since the start of the run, kept up to date
};

class NetworkMeasuring {
 public:
  explicit NetworkMeasuring(const NetworkTask& task)
      : task_(task), place_{.pass = task.first_pass, .round = 0} {}

  Stop run() {
    if (task_.plan->bisection) {
      bisect();
    }
    if (task_.plan->per_host) {
      ++place_.pass;
      place_.round = 0;
      fill_hosts();
    }
    return stop_;
  }

 private:
  [[nodiscard]] bool goes_on() const { return stop_ == Stop::kNo; }
  [[nodiscard]] Seconds elapsed() const { return *task_.took; }

  /// Times of the pairs on rank 0, empty elsewhere.
  std::vector<std::int64_t> cross(const std::vector<UnitPair>& pairs, int processes,
                                  Traffic traffic) {
    if (task_.records) {
      task_.hooks->progress(elapsed());
    }
    const auto meeting = task_.machine->cross(place_, pairs, processes, traffic);
    ++place_.round;
    stop_ = std::max(stop_, meeting.stop);
    *task_.took = meeting.elapsed;
    std::vector<std::int64_t> ns;
    for (const auto& times : meeting.times) {
      ns.push_back(std::max<std::int64_t>(1, times.large.value()));
    }
    return ns;
  }

  void bisect() {
    const auto& asked = *task_.plan->bisection;
    auto& record = task_.record->bisection;
    const Seconds begin = elapsed();
    const auto cross = [&](const std::vector<UnitPair>& pairs) {
      auto ns = this->cross(pairs, asked.processes, Traffic::kBothWays);
      record.took = elapsed() - begin;
      return ns;
    };
    for (const auto& pair : pairs_alone(*task_.plan)) {
      if (!goes_on()) {
        return;
      }
      const auto ns = cross({pair});
      if (task_.records) {
        task_.hooks->alone(record.alone.emplace_back(AloneResult{.pair = pair, .ns = ns.at(0)}));
      }
    }
    record.halves.resize(1 + static_cast<std::size_t>(asked.random_halves));
    std::vector<Cut> cuts;
    for (int halves = 0; halves <= asked.random_halves; ++halves) {
      cuts.push_back(cut_of(*task_.plan, halves));
    }
    const auto until = [&](Seconds end) { return goes_on() && elapsed() < end; };
    const Seconds middle = begin + asked.time / 2;
    for (int place = 0; place < cuts.front().steps() && until(middle); ++place) {
      take_step(cuts.front(), 0, place, cross);
    }
    const Seconds end = begin + asked.time;
    const int drawn_steps = cuts.back().steps();
    for (int place = 0; place < drawn_steps && until(end); ++place) {
      for (int halves = 1; halves <= asked.random_halves && until(end); ++halves) {
        take_step(cuts[static_cast<std::size_t>(halves)], halves, place, cross);
      }
    }
  }

  template <class Cross>
  void take_step(const Cut& cut, int halves, int place, const Cross& cross) {
    const auto pairs = cut.pairs_of_step(spread_step(place, cut.steps()));
    const auto ns = cross(pairs);
    if (task_.records) {
      auto& steps = task_.record->bisection.halves[static_cast<std::size_t>(halves)];
      task_.hooks->stepped(halves, place, steps.emplace_back(step_result(*task_.plan, pairs, ns)));
    }
  }

  void fill_hosts() {
    const auto all = pairs_of_hosts(*task_.plan);
    std::vector<std::vector<UnitPair>> one_by_one;
    for (const auto& pair : hosts_alone(*task_.plan)) {
      one_by_one.push_back({pair});
    }
    for (const int processes : task_.plan->per_host->processes) {
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
    if (task_.records) {
      task_.hooks->filled(task_.record->per_host.rows.emplace_back(std::move(row)));
    }
  }

  NetworkTask task_;
  Place place_;
  Stop stop_ = Stop::kNo;
};

/// Bisection: pairs alone, all steps of the first halves within half of its time, then the steps of
/// the drawn halves in turn. Then each number of processes per host. Returns why it ended early.
Stop measure_network(const NetworkTask& task) { return NetworkMeasuring(task).run(); }

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
    for (int pass = 0; !ends_before(pass) && stop_ == Stop::kNo; ++pass) {
      machine_->wait_until(plan_->begin_of(pass));
      measure_pass(pass);
    }
    if (stop_ == Stop::kNo) {
      retest();
    }
    if (stop_ == Stop::kNo) {
      const auto passes = static_cast<int>(measured_->map.passes.size());
      stop_ = measure_network({.plan = plan_,
                               .records = records_,
                               .machine = machine_,
                               .record = &measured_->network,
                               .hooks = hooks_,
                               .first_pass = passes + kRetestPasses,
                               .took = &measured_->map.took});
    }
    measured_->complete = stop_ == Stop::kNo;
    return stop_;
  }

 private:
  [[nodiscard]] bool ends_before(int pass) const {
    return pass >= plan_->most_passes ||
           (pass >= Plan::kFewestPasses && elapsed_ >= plan_->duration);
  }

  RoundTimes meet(const Place& place, const std::vector<UnitPair>& pairs, Ways ways) {
    if (records_) {
      hooks_->progress(elapsed_);
    }
    auto meeting = machine_->meet(place, pairs, ways);
    stop_ = std::max(stop_, meeting.stop);
    elapsed_ = meeting.elapsed;
    measured_->map.took = elapsed_;
    return std::move(meeting.times);
  }

  void measure_pass(int number) {
    const Pass pass(*plan_, number);
    auto& rounds = measured_->map.passes.emplace_back();
    for (int round = 0; round < plan_->rounds_of_pass && stop_ == Stop::kNo; ++round) {
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
    const Seconds end = elapsed_ + plan_->duration / 2;
    for (int pass = 0; pass < kRetestPasses && (pass == 0 || elapsed_ < end); ++pass) {
      for (std::size_t i = 0; i < pairs.size() && stop_ == Stop::kNo; ++i) {
        retest_pair({.pass = after_passes + pass, .round = static_cast<int>(i)}, pairs[i]);
      }
    }
  }

  void retest_pair(const Place& place, const UnitPair& pair) {
    Retest retest{.pair = pair, .both_ways = {}, .there = {}, .back = {}};
    const auto both = meet(place, {pair}, Ways::kBoth);
    const auto there = meet(place, {pair}, Ways::kThere);
    const auto back = meet(place, {pair}, Ways::kBack);
    if (records_) {
      retest.both_ways = both.at(0);
      retest.there = there.at(0).large;
      retest.back = back.at(0).large;
      hooks_->retested(measured_->map.retests.emplace_back(retest));
    }
  }

  const Plan* plan_;
  bool records_;
  Machine* machine_;
  Measurement* measured_;
  const Hooks* hooks_;
  Seconds elapsed_ = 0;
  Stop stop_ = Stop::kNo;
};

}  // namespace

Stop measure(const Plan& plan, int rank, Machine& machine, Measurement& measured,
             const Hooks& hooks) {
  return Measuring(plan, rank == 0, machine, measured, hooks).run();
}

}  // namespace beff::pairs
