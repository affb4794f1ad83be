#pragma once

#include <limits>
#include <string>

#include "core/record/environment.hpp"

namespace beff {

/// Measures resolution and cost of MPI_Wtime and the cost of a barrier of all processes.
/// Collective over MPI_COMM_WORLD; takes some milliseconds.
Clock measure_clock();

/// Seconds of a clock of this machine, for what people watch: under simulation MPI_Wtime is the
/// simulated time.
Seconds watch_time();

/// Seconds of the clock that a run's length is told by: the simulated one under simulation, else
/// that of this machine, without a call of MPI.
Seconds run_time();

/// Looks whether the clock that times, MPI_Wtime, is set while a run measures: MPICH's is the time
/// of day. Then it moves otherwise than the steady clock of this machine. What may differ between
/// two looks is
/// - the time between the readings of both clocks, the resolution of MPI_Wtime, and 10 us;
/// - 1 % of the time between the looks. NTP slews by 0.05 % at most, mostly both clocks alike; a
///   library that counts cycles may know their rate a little wrong. What is less changes no
///   bandwidth by more than 1 %.
/// A look takes about as long as three readings of a clock: never inside what is timed.
class ClockWatch {
 public:
  /// Takes the first look. `resolution` is that of MPI_Wtime.
  explicit ClockWatch(Seconds resolution);

  void look();
  [[nodiscard]] bool was_set() const { return step_ != 0; }
  /// By how much at most, in whichever direction; after agree() on any process.
  [[nodiscard]] Seconds step() const { return step_ < 0 ? -step_ : step_; }
  /// Collective over MPI_COMM_WORLD.
  void agree();
  /// Why a run ends whose clock was set or cannot time a loop, for the reader.
  [[nodiscard]] std::string why_stopped() const;

 private:
  struct Look {
    Seconds steady = 0;
    Seconds ahead = 0;                                         ///< MPI_Wtime is of the steady clock
    Seconds doubt = std::numeric_limits<Seconds>::infinity();  ///< between the steady readings
  };
  static Look take();

  Seconds resolution_;
  Look last_;
  Seconds step_ = 0;
};

/// The time of day: seconds since 1970.
Seconds time_of_day();

/// A time of day, RFC 3339 in UTC with seconds: 2026-11-21T22:06:14Z.
std::string utc_text(Seconds time_of_day);

}  // namespace beff
