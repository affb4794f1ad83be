#include "engines/b_eff/loop_runner.hpp"

#include <mpi.h>

#include <algorithm>
#include <limits>

#include "engines/common/clock.hpp"

namespace beff::b_eff {
namespace {

struct Times {
  Seconds warm_up = 0;
  Seconds loop = 0;
};

/// The iteration of the warm-up stands between the barrier, which processes leave one after the
/// other, and the clock: so they enter the loop in the step of the pattern itself, as in release
/// 3.6. Between the two readings of the clock stands the transfer and nothing else.
Times timed(PatternRun& run, const Loop& loop) {
  Times times;
  MPI_Barrier(MPI_COMM_WORLD);
  const std::int64_t before = loop.warm_up ? 1 : 0;
  if (loop.warm_up) {
    const Seconds begin = run_time();
    run.run(0, before);
    times.warm_up = run_time() - begin;
  }
  const Seconds begin = run_time();
  run.run(before, loop.length);
  times.loop = run_time() - begin;
  return times;
}

/// MPI_User_function: folds reports of two groups of processes into one.
// NOLINTNEXTLINE(readability-non-const-parameter): MPI prescribes the parameters
void combine_reports(void* in, void* inout, int* length, MPI_Datatype* /*type*/) {
  const auto* left = static_cast<const LoopReport*>(in);
  auto* right = static_cast<LoopReport*>(inout);
  for (int i = 0; i < *length; ++i) {
    const auto& a = left[i];
    auto& b = right[i];
    const bool a_is_slower =
        a.time_max > b.time_max || (a.time_max == b.time_max && a.slowest_rank < b.slowest_rank);
    b.slowest_rank = a_is_slower ? a.slowest_rank : b.slowest_rank;
    b.time_max = std::max(a.time_max, b.time_max);
    b.time_min = std::min(a.time_min, b.time_min);
    b.time_sum += a.time_sum;
    b.least_rate = std::min(a.least_rate, b.least_rate);
    b.participants += a.participants;
    b.stop = std::max(a.stop, b.stop);
  }
}

LoopReport own_report(bool takes_part, double messages, Seconds time, int rank, Stop stop) {
  constexpr double kNone = std::numeric_limits<double>::max();
  if (takes_part) {
    return {.time_max = time,
            .time_min = time,
            .time_sum = time,
            .least_rate = time > 0 ? messages / time : kNone,
            .participants = 1,
            .slowest_rank = rank,
            .stop = stop};
  }
  return {.time_max = -1,
          .time_min = kNone,
          .time_sum = 0,
          .least_rate = kNone,
          .participants = 0,
          .slowest_rank = rank,
          .stop = stop};
}

}  // namespace

LoopRunner::LoopRunner(DataCheck& data_check, Accounting& accounting, Watchdog& watchdog)
    : data_check_(&data_check), accounting_(&accounting), watchdog_(&watchdog) {
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Type_contiguous(sizeof(LoopReport), MPI_BYTE, &report_type_);
  MPI_Type_commit(&report_type_);
  MPI_Op_create(combine_reports, 1, &combine_);
}

LoopRunner::~LoopRunner() {
  MPI_Op_free(&combine_);
  MPI_Type_free(&report_type_);
}

void LoopRunner::prepare(PatternRun& run, Bytes size) {
  const Seconds begin = run_time();
  run.prepare(size, number_++);
  accounting_->preparation_and_checks += run_time() - begin;
}

void LoopRunner::check(const PatternRun& run, std::int64_t iterations) {
  const Seconds begin = run_time();
  if (data_check_->enabled) {
    run.check(iterations, *data_check_);
  }
  accounting_->preparation_and_checks += run_time() - begin;
}

LoopReport LoopRunner::time_loop(PatternRun& run, const Loop& loop, const Stage& stage, Bytes size,
                                 Stop stop) {
  prepare(run, size);
  WatchedStage watched(*watchdog_, stage);
  const Times times = timed(run, loop);
  const LoopReport mine =
      own_report(run.takes_part(), static_cast<double>(run.messages_sent() * loop.length),
                 times.loop, rank_, stop);
  LoopReport all = mine;
  watchdog_->arrived();
  MPI_Allreduce(&mine, &all, 1, report_type_, combine_, MPI_COMM_WORLD);
  watched.done();
  accounting_->warm_up += times.warm_up;
  check(run, loop.length + (loop.warm_up ? 1 : 0));
  return all;
}

}  // namespace beff::b_eff
