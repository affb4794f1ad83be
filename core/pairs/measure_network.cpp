#include "core/pairs/measure_network.hpp"

#include <algorithm>
#include <utility>

#include "core/pairs/measure_matrix.hpp"

namespace beff::pairs {
namespace {

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
    if (task_.plan->matrix && goes_on()) {
      auto task = task_;
      task.first_pass = place_.pass + 1;
      stop_ = measure_matrix(task);
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
    for (const int processes : task_.plan->per_host->processes) {
      for (const Traffic traffic : kTraffics) {
        fill({all.front()}, processes, traffic);
        if (all.size() > 1) {
          fill(all, processes, traffic);
        }
      }
    }
  }

  void fill(const std::vector<UnitPair>& pairs, int processes, Traffic traffic) {
    if (!goes_on()) {
      return;
    }
    auto ns = cross(pairs, processes, traffic);
    if (task_.records) {
      task_.hooks->filled(task_.record->per_host.rows.emplace_back(
          PerHostResult{.processes = processes, .traffic = traffic, .ns = std::move(ns)}));
    }
  }

  NetworkTask task_;
  Place place_;
  Stop stop_ = Stop::kNo;
};

}  // namespace

Stop measure_network(const NetworkTask& task) { return NetworkMeasuring(task).run(); }

}  // namespace beff::pairs
