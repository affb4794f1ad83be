#include "engines/common/mpi/clock.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>

#include "engines/common/mpi/agree.hpp"
#include "engines/common/mpi/handles.hpp"
#include "engines/common/mpi/launch.hpp"
#include "engines/common/watch/end.hpp"

namespace beff {
namespace {

constexpr int kReadings = 1000;

/// Mean time of one reading, and the smallest step other than zero between two readings; a clock
/// that does not move (simulated time) shows no step.
void read_clock(Clock& clock) {
  double smallest = 0;
  const Seconds start = run_time();
  double before = run_time();
  for (int i = 0; i < kReadings; ++i) {
    const double now = run_time();
    if (now > before) {
      smallest = smallest > 0 ? std::min(smallest, now - before) : now - before;
    }
    before = now;
  }
  clock.call_cost = (run_time() - start) / kReadings;
  clock.resolution = kSimulated ? MPI_Wtick() : smallest;
}

Seconds barrier_cost() {
  constexpr int kWarmUp = kSimulated ? 0 : 3;
  constexpr int kBarriers = kSimulated ? 1 : 20;
  for (int i = 0; i < kWarmUp; ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
  }
  const Seconds start = run_time();
  for (int i = 0; i < kBarriers; ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
  }
  return allreduce((run_time() - start) / kBarriers, MPI_MAX);
}

}  // namespace

Clock measure_clock() {
  Clock clock;
  read_clock(clock);
  clock.barrier_cost = barrier_cost();
  return clock;
}

Seconds watch_time() {
  return std::chrono::duration<Seconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

Seconds run_time() { return kSimulated ? MPI_Wtime() : watch_time(); }

Seconds time_of_day() {
  return std::chrono::duration<Seconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::string utc_text(Seconds time_of_day) {
  const auto time = static_cast<std::time_t>(time_of_day);
  std::tm parts{};
  gmtime_r(&time, &parts);
  constexpr std::size_t kLength = sizeof "2026-11-21T22:06:14Z";
  std::array<char, kLength> text{};
  const auto length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return {text.data(), length};
}

RunClock::RunClock(std::optional<Seconds> time_limit) : time_limit_(time_limit) {
  MPI_Barrier(MPI_COMM_WORLD);
  begin_ = run_time();
}

Seconds RunClock::elapsed() const { return run_time() - begin_; }

Stop RunClock::wish_to_stop() const {
  if (stop_was_requested()) {
    return Stop::kSignal;
  }
  const bool late = time_limit_ && elapsed() > *time_limit_;
  return late && world_rank() == 0 ? Stop::kTimeLimit : Stop::kNo;
}

}  // namespace beff
