#include "engines/b_eff/mpi_machine.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

#include "engines/common/mpi/agree.hpp"
#include "engines/common/mpi/clock.hpp"
#include "engines/common/mpi/handles.hpp"
#include "engines/common/mpi/launch.hpp"

namespace beff::b_eff {
namespace {

struct Times {
  Seconds warm_up = 0;
  Seconds loop = 0;
};

/// The iteration of the warm-up stands between the barrier, which processes leave one after the
/// other, and the clock: so they enter the loop in the step of the pattern itself, as in release
/// 3.6. Between the two readings of the clock stands the transfer and nothing else.
Times timed(PatternTransfer& transfer, const Loop& loop) {
  Times times;
  MPI_Barrier(MPI_COMM_WORLD);
  const std::int64_t before = loop.warm_up ? 1 : 0;
  if (loop.warm_up) {
    const Seconds begin = run_time();
    transfer.run(0, before);
    times.warm_up = run_time() - begin;
  }
  const Seconds begin = run_time();
  transfer.run(before, loop.length);
  times.loop = run_time() - begin;
  return times;
}

/// MPI_User_function: folds the times of two groups of processes into one.
// NOLINTNEXTLINE(readability-non-const-parameter): MPI prescribes the parameters
void combine_times(void* in, void* inout, int* length, MPI_Datatype* /*type*/) {
  const auto* left = static_cast<const LoopTimes*>(in);
  auto* right = static_cast<LoopTimes*>(inout);
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

/// Those of this process alone, which sent `messages` in the loop; `time` counts for nothing where
/// it takes no part.
LoopTimes own_times(bool takes_part, double messages, Seconds time, Stop stop) {
  constexpr double kNone = std::numeric_limits<double>::max();
  if (takes_part) {
    return {.time_max = time,
            .time_min = time,
            .time_sum = time,
            .least_rate = time > 0 ? messages / time : kNone,
            .participants = 1,
            .slowest_rank = world_rank(),
            .stop = stop};
  }
  return {.time_max = -1,
          .time_min = kNone,
          .time_sum = 0,
          .least_rate = kNone,
          .participants = 0,
          .slowest_rank = world_rank(),
          .stop = stop};
}

MPI_Op combine_operation() {
  MPI_Op operation = MPI_OP_NULL;
  MPI_Op_create(combine_times, 1, &operation);
  return operation;
}

}  // namespace

std::string text_of(const LoopPlace& place) {
  return fmt::format("pattern {}, {}, {}, messages of {}", place.pattern, row(place.method).name,
                     counted(place.iterations, "iteration"), format_size(place.bytes));
}

MpiMachine::MpiMachine(const Plan& plan, const Nodes& nodes, BufferMemory& memory,
                       std::optional<Seconds> time_limit, bool checks_data, Watchdog& watchdog)
    : plan_(&plan),
      nodes_(&nodes),
      watchdog_(&watchdog),
      checks_data_(checks_data),
      buffers_(memory, plan.lmax(), world_rank(), checks_data || !kSimulated),
      times_type_(Datatype::contiguous(sizeof(LoopTimes))),
      combine_(combine_operation()),
      patterns_(plan.patterns.size()),
      clock_(time_limit) {}

LoopPlace MpiMachine::place_of(const Loop& loop) const {
  return {.pattern = plan_->patterns.at(loop.pattern).id,
          .method = plan_->methods.at(loop.method),
          .bytes = plan_->sizes.at(static_cast<std::size_t>(loop.size)),
          .iterations = loop.length};
}

std::string MpiMachine::try_method(PatternTransfer& ring, Method method) {
  constexpr std::uint64_t kLoop = 1ULL << 62U;  // no loop that is timed has this layout
  const auto agreed = [&](std::string_view call, std::optional<std::string> error) {
    watchdog_->note_arrival();
    if (error && !call.empty()) {
      error = fmt::format("{}: {}", call, *error);
    }
    return first_text(MPI_COMM_WORLD, error);
  };
  const auto step = watchdog_->step(
      "trying messages",
      LoopPlace{
          .pattern = kRingPatterns - 1, .method = method, .bytes = plan_->lmax(), .iterations = 1});
  ring.use(method);
  auto why = agreed(making_call(method), NotedErrors::take());
  for (const Bytes size : {Bytes{1}, kLargestFixedSize, plan_->lmax()}) {
    if (!why.empty()) {
      break;
    }
    ring.prepare(size, kLoop);
    buffers_.memory().synchronise();
    ring.run(0, 1);
    why = agreed(row(method).mpi_calls, NotedErrors::take());
    if (why.empty()) {
      why = agreed("", ring.check(1).first_error);
    }
  }
  if (!why.empty()) {
    ring.abandon();
  }
  return why;
}

std::vector<NotMeasured> MpiMachine::try_methods(bool official_too,
                                                 const std::function<void(Method)>& begins) {
  const Pattern one_ring{.id = kRingPatterns - 1,
                         .name = "one ring",
                         .group = Group::kRing,
                         .graph = rings(plan_->processes, plan_->processes)};
  PatternTransfer ring(one_ring, topologies_, buffers_, arrays_, *nodes_);
  const NotedErrors of_world(MPI_COMM_WORLD);
  const NotedErrors of_ring(ring.communicator());
  std::vector<NotMeasured> failed;
  for (const Method method : plan_->methods) {
    if (row(method).official && !official_too) {
      continue;
    }
    begins(method);
    if (auto why = try_method(ring, method); !why.empty()) {
      failed.push_back({.method = method, .why = std::move(why)});
    }
  }
  ring.rest();
  return failed;
}

PatternTransfer& MpiMachine::ready(const Loop& loop) {
  const auto step = watchdog_->step("getting ready", place_of(loop));
  auto& pattern = patterns_.at(loop.pattern);
  if (!pattern) {
    pattern = std::make_unique<PatternTransfer>(plan_->patterns.at(loop.pattern), topologies_,
                                                buffers_, arrays_, *nodes_);
  }
  if (ready_ != nullptr && ready_ != pattern.get()) {
    ready_->rest();
  }
  ready_ = pattern.get();
  ready_->use(plan_->methods.at(loop.method));
  return *ready_;
}

LoopTimes MpiMachine::agreed(const LoopTimes& mine) const {
  static_assert(std::is_trivially_copyable_v<LoopTimes>);
  LoopTimes all = mine;
  watchdog_->note_arrival();
  MPI_Allreduce(&mine, &all, 1, times_type_.get(), combine_.get(), MPI_COMM_WORLD);
  return all;
}

LoopReport MpiMachine::time_loop(const Loop& loop) {
  const Stop stop = clock_.wish_to_stop();
  const Seconds begin = run_time();
  auto& transfer = ready(loop);
  transfer.prepare(plan_->sizes.at(static_cast<std::size_t>(loop.size)), loops_++);
  buffers_.memory().synchronise();
  const Seconds prepared = run_time();
  auto step = watchdog_->step("a loop", place_of(loop));
  const Times times = timed(transfer, loop);
  const auto messages = static_cast<double>(transfer.messages_sent() * loop.length);
  LoopReport report{agreed(own_times(transfer.takes_part(), messages, times.loop, stop))};
  step.done();
  report.warm_up = times.warm_up;
  const Seconds ended = run_time();
  const auto iterations = loop.length + (loop.warm_up ? 1 : 0);
  const Bytes sent_each = iterations * plan_->sizes.at(static_cast<std::size_t>(loop.size));
  sent_.leaving += transfer.messages_leaving() * sent_each;
  sent_.inside += (transfer.messages_sent() - transfer.messages_leaving()) * sent_each;
  if (checks_data_) {
    report.check = transfer.check(iterations);
  }
  report.preparation_and_check = (prepared - begin) + (run_time() - ended);
  return report;
}

std::vector<std::int64_t> MpiMachine::most_leaving() const {
  std::vector<std::int64_t> most;
  for (const auto& pattern : patterns_) {
    most.push_back(pattern ? pattern->messages_leaving() : -1);
  }
  const auto count = static_cast<int>(most.size());
  MPI_Allreduce(MPI_IN_PLACE, most.data(), count, MPI_INT64_T, MPI_SUM, nodes_->local());
  MPI_Allreduce(MPI_IN_PLACE, most.data(), count, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
  return most;
}

}  // namespace beff::b_eff
