#include "engines/b_eff/benchmark.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <array>
#include <optional>
#include <string>

#include "core/b_eff/process_times.hpp"
#include "core/b_eff/schedule.hpp"
#include "engines/b_eff/loop_runner.hpp"
#include "engines/common/agree.hpp"
#include "engines/common/communicator.hpp"
#include "engines/common/simulation.hpp"
#include "engines/common/stop_signal.hpp"

namespace beff::b_eff {
namespace {

/// Keeps the pattern and method that are at work and changes them when an order asks for others.
class Workbench {
 public:
  Workbench(const Plan& plan, int rank, bool fill_buffers)
      : plan_(&plan), buffers_(plan.lmax(), rank, fill_buffers) {}

  PatternRun& ready_for(const LoopOrder& order) {
    if (!run_ || pattern_ != order.pattern) {
      run_.emplace(plan_->patterns.at(order.pattern), topologies_, buffers_);
      pattern_ = order.pattern;
      method_ = plan_->methods.size();
    }
    if (method_ != order.method) {
      run_->use(plan_->methods.at(order.method));
      method_ = order.method;
    }
    return *run_;
  }

 private:
  const Plan* plan_;
  Topologies topologies_;
  MessageBuffers buffers_;
  std::optional<PatternRun> run_;
  std::size_t pattern_ = 0;
  std::size_t method_ = 0;
};

Sample sample_of(const Plan& plan, const LoopOrder& order, const LoopReport& report) {
  return {.pattern = plan.patterns.at(order.pattern).id,
          .size = order.size,
          .method = static_cast<int>(order.method),
          .repetition = order.repetition,
          .loop_length = order.loop_length,
          .time_max = report.time_max,
          .time_avg = report.time_sum / static_cast<double>(report.participants),
          .time_min = report.time_min,
          .slowest_rank = report.slowest_rank};
}

/// Brings the times of all processes to rank 0.
ProcessTimes gather(const OwnTimes& own, std::size_t patterns) {
  const auto mine = own.condensed();
  int processes = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  ProcessTimes all{.patterns = patterns, .values = {}};
  if (world_rank() == 0) {
    all.values.resize(mine.size() * static_cast<std::size_t>(processes));
  }
  const int count = static_cast<int>(mine.size());
  MPI_Gather(mine.data(), count, MPI_DOUBLE, all.values.data(), count, MPI_DOUBLE, 0,
             MPI_COMM_WORLD);
  return all;
}

/// Adds up the counts of all processes and takes over the first error of the lowest rank with one.
void agree_on_check(DataCheck& check) {
  std::array<long long, 2> counts{check.messages_checked, check.wrong_messages};
  MPI_Allreduce(MPI_IN_PLACE, counts.data(), 2, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
  check.messages_checked = counts[0];
  check.wrong_messages = counts[1];
  if (check.wrong_messages == 0) {
    return;
  }
  const auto mine =
      check.first_error
          ? std::optional(fmt::format("rank {}, {}", world_rank(), *check.first_error))
          : std::nullopt;
  check.first_error = first_text(MPI_COMM_WORLD, mine);
}

}  // namespace

Measurement run_benchmark(const Plan& plan, const BenchmarkLimits& limits,
                          const BenchmarkHooks& hooks) {
  const int rank = world_rank();
  Measurement measurement;
  measurement.data_check.enabled = limits.check_data;
  auto& accounting = measurement.accounting;
  Workbench workbench(plan, rank, limits.check_data || !kSimulated);
  LoopRunner runner(measurement.data_check, accounting);
  Schedule schedule(plan);
  OwnTimes own_times(plan.patterns.size());

  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  const auto wish_to_stop = [&] {
    if (stop_was_requested()) {
      return Stop::kSignal;
    }
    const bool late = limits.time_limit && MPI_Wtime() - begin > *limits.time_limit;
    return late && rank == 0 ? Stop::kTimeLimit : Stop::kNo;
  };

  Stop stop = Stop::kNo;
  for (auto order = schedule.next(); order && stop == Stop::kNo; order = schedule.next()) {
    hooks.progress(schedule.loops_done(), plan.patterns.at(order->pattern).name);
    auto& run = workbench.ready_for(*order);
    const Bytes size = plan.sizes.at(static_cast<std::size_t>(order->size));
    const LoopReport report = runner.time_loop(run, *order, size, wish_to_stop());
    schedule.completed(report.time_max);
    stop = report.stop;
    if (order->latency) {
      accounting.latency += report.time_max;
      continue;
    }
    accounting.loops += report.time_max;
    if (run.takes_part() && run.in_order_of_ranks()) {
      own_times.add(order->pattern, order->size,
                    runner.own_time() / static_cast<double>(order->loop_length));
    }
    if (rank == 0) {
      measurement.samples.push_back(sample_of(plan, *order, report));
      const auto& sample = measurement.samples.back();
      if (plan.patterns.at(order->pattern).has_release_3_6) {
        raise_release_3_6(measurement.release_3_6, plan, sample, report.least_rate);
      }
      hooks.recorded(sample);
      const auto next = schedule.next();
      if (next && next->repetition > order->repetition) {
        hooks.repetition_ended(measurement.samples);
      }
    }
  }
  accounting.elapsed = MPI_Wtime() - begin;
  measurement.complete = !schedule.next().has_value();
  if (!measurement.complete) {
    measurement.stopped_by = why_stopped(stop == Stop::kSignal, limits.time_limit);
  }
  measurement.process_times = gather(own_times, plan.patterns.size());
  agree_on_check(measurement.data_check);
  return measurement;
}

}  // namespace beff::b_eff
