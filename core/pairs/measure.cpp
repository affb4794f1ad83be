#include "core/pairs/measure.hpp"

#include <algorithm>
#include <utility>

#include "core/pairs/measure_network.hpp"

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
