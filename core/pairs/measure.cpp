#include "core/pairs/measure.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/b_eff/plan.hpp"

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

class MatrixMeasuring {
 public:
  explicit MatrixMeasuring(const NetworkTask& task)
      : task_(task), place_{.pass = task.first_pass, .round = 0} {}

  Stop run() {
    auto length = first_length();
    for (int number = 0; number < kMatrixLoops && goes_on(); ++number) {
      auto loop = send(length);
      length = length_after(loop);
      record(std::move(loop));
    }
    std::vector<std::vector<MatrixLook>> looks;
    for (int look = 0; look < kMatrixLooks && goes_on(); ++look) {
      looks.push_back(look_at());
    }
    auto ending = task_.machine->end_matrix();
    record_->check = ending.check;
    if (task_.records && looks.size() == kMatrixLooks) {
      auto ranks = ranks_of(best_times_, looks);
      for (auto& one : ranks) {
        const auto& [sent, received] = ending.moved.at(static_cast<std::size_t>(one.rank));
        one.sent = sent;
        one.received = received;
      }
      record_->ranks = kept(std::move(ranks));
    }
    if (task_.records) {
      task_.hooks->sent_all(*record_);
    }
    return stop_;
  }

 private:
  [[nodiscard]] bool goes_on() const { return stop_ == Stop::kNo; }

  void note(Stop stop, Seconds elapsed) {
    ++place_.round;
    stop_ = std::max(stop_, stop);
    *task_.took = elapsed;
  }

  void show_progress() {
    if (task_.records) {
      task_.hooks->progress(*task_.took);
    }
  }

  MatrixLoop send(std::int64_t length) {
    show_progress();
    auto loop = task_.machine->send_matrix(place_, length);
    note(loop.stop, loop.elapsed);
    return loop;
  }

  std::vector<MatrixLook> look_at() {
    show_progress();
    auto looks = task_.machine->look_at_matrix(place_);
    note(looks.stop, looks.elapsed);
    return std::move(looks.of_ranks);
  }

  /// As b_eff takes the length of its first loop from a quick latency measurement; of an iteration
  /// that alone fills a loop, a single one is enough.
  std::int64_t first_length() {
    const auto first = length_after(send(1));
    return first < b_eff::kLatencyIterations || !goes_on()
               ? first
               : length_after(send(b_eff::kLatencyIterations));
  }

  static std::int64_t length_after(const MatrixLoop& loop) {
    constexpr Bytes kAnySize = 1;
    return b_eff::next_loop_length(
        {.shortest = b_eff::row(b_eff::Definition::k3_5).shortest_loop}, std::nullopt,
        {.size = kAnySize, .seconds = loop.slowest / static_cast<double>(loop.length)}, kAnySize);
  }

  void record(MatrixLoop loop) {
    if (!task_.records) {
      return;
    }
    const auto length = static_cast<double>(loop.length);
    const auto slowest = std::ranges::max_element(loop.times);
    const Seconds iteration = *slowest / length;
    if (best_times_.empty() || iteration < best_) {
      best_ = iteration;
      best_times_ = loop.times;
      for (auto& time : best_times_) {
        time /= length;
      }
    }
    task_.hooks->sent(record_->loops.emplace_back(
        MatrixLoopResult{.length = loop.length,
                         .ns = std::max<std::int64_t>(1, std::llround(*slowest * kNsPerS)),
                         .slowest_rank = static_cast<int>(slowest - loop.times.begin())}));
  }

  NetworkTask task_;
  MatrixRecord* record_ = &task_.record->matrix;
  Place place_;
  Stop stop_ = Stop::kNo;
  Seconds best_ = 0;
  std::vector<Seconds> best_times_;  ///< of the ranks, for an iteration
};

/// The matrix of the plan: kMatrixLoops loops of 2.5 to 5 ms, of at least one iteration, each as
/// long as the one before says, as in b_eff; then kMatrixLooks single iterations. Returns why it
/// ended early.
Stop measure_matrix(const NetworkTask& task) { return MatrixMeasuring(task).run(); }

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
/// the drawn halves in turn. Then each number of processes per host, then the matrix. Returns why
/// it ended early.
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
