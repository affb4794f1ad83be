#include "engines/common/clock.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <ctime>

#include "core/units/quantity_text.hpp"
#include "engines/common/simulation.hpp"

namespace beff {
namespace {

constexpr int kReadings = 1000;

/// Mean time of one MPI_Wtime, and the smallest step other than zero between two readings; a clock
/// that does not move (simulated time) shows no step.
void read_clock(Clock& clock) {
  double smallest = 0;
  const Seconds start = run_time();
  double before = MPI_Wtime();
  for (int i = 0; i < kReadings; ++i) {
    const double now = MPI_Wtime();
    if (now > before) {
      smallest = smallest > 0 ? std::min(smallest, now - before) : now - before;
    }
    before = now;
  }
  clock.call_cost = (run_time() - start) / kReadings;
  clock.resolution = std::max(smallest, MPI_Wtick());
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
  double mean = (run_time() - start) / kBarriers;
  double slowest = mean;
  MPI_Allreduce(&mean, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return slowest;
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

ClockWatch::Look ClockWatch::take() {
  constexpr int kMostTries = 5;
  constexpr Seconds kSoon = 1e-6;
  Look narrowest;
  for (int tries = 0; tries < kMostTries && !(narrowest.doubt < kSoon); ++tries) {
    const Seconds before = watch_time();
    const Seconds timed = MPI_Wtime();
    const Seconds after = watch_time();
    if (after - before < narrowest.doubt) {
      const Seconds middle = (before + after) / 2;
      narrowest = {.steady = middle, .ahead = timed - middle, .doubt = after - before};
    }
  }
  return narrowest;
}

ClockWatch::ClockWatch(Seconds resolution)
    : resolution_(resolution), last_(kSimulated ? Look{} : take()) {}

void ClockWatch::look() {
  constexpr Seconds kRounding = 1e-5;
  constexpr double kOtherRate = 0.01;
  if (kSimulated) {
    return;
  }
  const auto now = take();
  const Seconds moved = now.ahead - last_.ahead;
  const Seconds allowed = kRounding + 2 * resolution_ + (now.doubt + last_.doubt) / 2 +
                          kOtherRate * (now.steady - last_.steady);
  if (std::abs(moved) > std::max(allowed, std::abs(step_))) {
    step_ = moved;
  }
  last_ = now;
}

void ClockWatch::agree() {
  std::array<Seconds, 2> largest{step_, -step_};
  MPI_Allreduce(MPI_IN_PLACE, largest.data(), 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  step_ = largest[0] >= largest[1] ? largest[0] : -largest[1];
}

std::string ClockWatch::why_stopped() const {
  return step_ == 0 ? "by MPI_Wtime something took no time"
                    : fmt::format(
                          "the clock of MPI_Wtime was set {} by {}; measure again while "
                          "nothing sets it",
                          step_ < 0 ? "back" : "forward", format_duration(std::abs(step_)));
}

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

}  // namespace beff
