#include "core/b_eff/measure.hpp"

#include <array>
#include <iterator>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace beff::b_eff {
namespace {

/// What the loops share.
struct Measuring {
  const Plan& plan;
  bool records;  ///< on this process
  Machine& machine;
  Measurement& measured;
  const Hooks& hooks;
  std::int64_t done = 0;  ///< loops that are recorded
  Stop stop = Stop::kNo;

  [[nodiscard]] bool stopped() const { return stop != Stop::kNo; }
  [[nodiscard]] Bytes bytes_of(int size) const {
    return plan.sizes.at(static_cast<std::size_t>(size));
  }
};

Sample sample_of(const Plan& plan, const Loop& loop, const LoopReport& report) {
  return {.pattern = plan.patterns.at(loop.pattern).id,
          .size = loop.size,
          .method = static_cast<int>(loop.method),
          .repetition = loop.repetition,
          .loop_length = loop.length,
          .time_max = report.time_max,
          .time_avg = report.time_sum / static_cast<double>(report.participants),
          .time_min = report.time_min,
          .slowest_rank = report.slowest_rank};
}

void record(Measuring& measuring, const Loop& loop, const LoopReport& report) {
  const auto& plan = measuring.plan;
  auto& measured = measuring.measured;
  measured.accounting.loops += report.time_max;
  ++measuring.done;
  if (measuring.records) {
    const auto& sample = measured.samples.emplace_back(sample_of(plan, loop, report));
    if (plan.patterns.at(loop.pattern).has_release_3_6) {
      raise_release_3_6(measured.release_3_6, plan, sample, report.least_rate);
    }
    measuring.hooks.recorded(sample);
  }
}

Loop loop_of(const Sweep& sweep, int size, std::int64_t length) {
  return {sweep, size, length, size < kWarmedUpSizes, false};
}

Loop latency_loop(const Sweep& sweep, int size) {
  auto loop = loop_of(sweep, size, kLatencyIterations);
  loop.latency = true;
  return loop;
}

/// Times a loop; what one iteration took on the slowest process.
IterationTime time_loop(Measuring& measuring, const Loop& loop) {
  const Bytes bytes = measuring.bytes_of(loop.size);
  measuring.hooks.progress(measuring.done, bytes, measuring.plan.patterns.at(loop.pattern));
  const auto report = measuring.machine.time_loop(loop);
  measuring.stop = report.stop;
  auto& accounting = measuring.measured.accounting;
  accounting.warm_up += report.warm_up;
  accounting.preparation_and_checks += report.preparation_and_check;
  measuring.measured.data_check.add(report.check);
  if (loop.latency) {
    accounting.latency += report.time_max;
  } else {
    record(measuring, loop, report);
  }
  return {.size = bytes, .seconds = report.time_max / static_cast<double>(loop.length)};
}

/// A sweep, and what the last two of its sizes took. Where lengths are timed, that of a loop
/// comes from them, that of the first one from a quick latency measurement.
struct SweepUnderWay : Sweep {
  std::optional<IterationTime> before_last;
  std::optional<IterationTime> last;
  /// Latest time of each size that missed the window in this repetition or one before: the length
  /// of its next loop comes from that.
  std::array<std::optional<IterationTime>, kMessageSizes> missed;
};

/// Plans a timed length, or looks up a fixed one.
std::int64_t loop_length(const Plan& plan, const SweepUnderWay& sweep, int size) {
  const Bytes bytes = plan.sizes.at(static_cast<std::size_t>(size));
  if (!sweep.last) {
    return fixed_loop_length(plan.lmax(), bytes);
  }
  const auto& missed = sweep.missed.at(static_cast<std::size_t>(size));
  return missed ? next_loop_length(plan.loop_time, std::nullopt, *missed, bytes)
                : next_loop_length(plan.loop_time, sweep.before_last, *sweep.last, bytes);
}

void measure_size(Measuring& measuring, SweepUnderWay& sweep, int size) {
  const auto& plan = measuring.plan;
  if (row(plan.definition).timed_lengths && !sweep.last) {
    sweep.last = time_loop(measuring, latency_loop(sweep, size));
    if (measuring.stopped()) {
      return;
    }
  }
  const auto length = loop_length(plan, sweep, size);
  const auto iteration = time_loop(measuring, loop_of(sweep, size, length));
  if (sweep.last) {
    sweep.before_last = std::exchange(sweep.last, iteration);
    auto& missed = sweep.missed.at(static_cast<std::size_t>(size));
    if (missed || plan.loop_time.is_missed_by(iteration.seconds * static_cast<double>(length))) {
      missed = iteration;
    }
  }
}

/// Those of each repetition, by the official methods or by the others.
std::vector<SweepUnderWay> sweeps_of(const Plan& plan, bool official) {
  std::vector<SweepUnderWay> sweeps;
  for (std::size_t pattern = 0; pattern < plan.patterns.size(); ++pattern) {
    for (std::size_t method = 0; method < plan.methods.size(); ++method) {
      if (plan.measures(plan.patterns[pattern], plan.methods[method]) &&
          row(plan.methods[method]).official == official) {
        sweeps.push_back({{.pattern = pattern, .method = method}, {}, {}, {}});
      }
    }
  }
  return sweeps;
}

/// A repetition of some sweeps: every one at one size, then at the next.
void measure_side_by_side(Measuring& measuring, int repetition, std::span<SweepUnderWay> sweeps) {
  for (auto& sweep : sweeps) {
    sweep.repetition = repetition;
    sweep.before_last.reset();
    sweep.last.reset();
  }
  for (const int size : measuring.plan.size_indices) {
    for (auto& sweep : sweeps) {
      if (!measuring.stopped()) {
        measure_size(measuring, sweep, size);
      }
    }
  }
}

}  // namespace

Stop measure(const Plan& plan, int rank, Machine& machine, Measurement& measured,
             const Hooks& hooks) {
  Measuring measuring{
      .plan = plan, .records = rank == 0, .machine = machine, .measured = measured, .hooks = hooks};
  auto sweeps = sweeps_of(plan, true);
  for (int repetition = 0; repetition < plan.repetitions && !measuring.stopped(); ++repetition) {
    measure_side_by_side(measuring, repetition, sweeps);
    const auto whole = (repetition + 1) * std::ssize(sweeps) * std::ssize(plan.size_indices);
    if (measuring.records && measuring.done == whole && whole > 0 && whole < planned_loops(plan)) {
      hooks.repetition_ended(measured.samples);
    }
  }
  auto others = sweeps_of(plan, false);
  for (int repetition = 0; repetition < plan.repetitions; ++repetition) {
    for (auto& sweep : others) {
      measure_side_by_side(measuring, repetition, {&sweep, 1});
    }
  }
  measured.complete = measuring.done == planned_loops(plan);
  return measuring.stop;
}

}  // namespace beff::b_eff
