#include "core/b_eff/measure.hpp"

#include <optional>
#include <utility>

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
  measuring.hooks.progress(measuring.done, measuring.plan.patterns.at(loop.pattern).name);
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
  return {.size = measuring.bytes_of(loop.size),
          .seconds = report.time_max / static_cast<double>(loop.length)};
}

/// All message sizes of a sweep. By definition 3.5 the length of a loop comes from the times of the
/// sizes before it, that of the first one from a quick latency measurement.
void measure_sweep(Measuring& measuring, const Sweep& sweep) {
  const auto& plan = measuring.plan;
  std::optional<IterationTime> before_last;
  std::optional<IterationTime> last;
  measuring.machine.ready(sweep);
  if (plan.definition == Definition::k3_5) {
    last = time_loop(measuring, latency_loop(sweep, plan.size_indices.front()));
  }
  for (const int size : plan.size_indices) {
    if (measuring.stopped()) {
      return;
    }
    const Bytes bytes = measuring.bytes_of(size);
    const auto length = last ? next_loop_length(plan.loop_time, before_last, *last, bytes)
                             : fixed_loop_length(plan.lmax(), bytes);
    const auto iteration = time_loop(measuring, loop_of(sweep, size, length));
    if (last) {
      before_last = std::exchange(last, iteration);
    }
  }
}

void measure_repetition(Measuring& measuring, int repetition) {
  const auto& patterns = measuring.plan.patterns;
  const auto& methods = measuring.plan.methods;
  for (std::size_t pattern = 0; pattern < patterns.size(); ++pattern) {
    for (std::size_t method = 0; method < methods.size(); ++method) {
      if (patterns[pattern].has_method(methods[method])) {
        measure_sweep(measuring, {.repetition = repetition, .pattern = pattern, .method = method});
        if (measuring.stopped()) {
          return;
        }
      }
    }
  }
}

}  // namespace

Stop measure(const Plan& plan, int rank, Machine& machine, Measurement& measured,
             const Hooks& hooks) {
  Measuring measuring{
      .plan = plan, .records = rank == 0, .machine = machine, .measured = measured, .hooks = hooks};
  const auto loops_of_a_repetition = planned_loops(plan) / plan.repetitions;
  for (int repetition = 0; repetition < plan.repetitions && !measuring.stopped(); ++repetition) {
    measure_repetition(measuring, repetition);
    const bool whole = measuring.done == (repetition + 1) * loops_of_a_repetition;
    if (measuring.records && whole && repetition + 1 < plan.repetitions) {
      hooks.repetition_ended(measured.samples);
    }
  }
  measured.complete = measuring.done == planned_loops(plan);
  return measuring.stop;
}

}  // namespace beff::b_eff
