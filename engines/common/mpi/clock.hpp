#pragma once

#include <optional>
#include <string>

#include "core/benchmark.hpp"
#include "core/record/environment.hpp"

namespace beff {

/// Measures resolution and cost of run_time() and the cost of a barrier of all processes.
/// Collective over MPI_COMM_WORLD; takes some milliseconds.
Clock measure_clock();

/// Seconds of a clock of this machine, for what people watch: under simulation MPI_Wtime is the
/// simulated time.
Seconds watch_time();

/// Seconds of the clock that everything is timed by: the node's steady clock, which nobody can set;
/// MPI_Wtime is the time of day with some libraries (MPICH). Under simulation MPI_Wtime, because
/// there the host's clocks show real time.
Seconds run_time();

/// The time of day: seconds since 1970.
Seconds time_of_day();

/// A time of day, RFC 3339 in UTC with seconds: 2026-11-21T22:06:14Z.
std::string utc_text(Seconds time_of_day);

/// The clock of a run, which starts when all processes have made theirs, and the wish to end it.
class RunClock {
 public:
  /// Collective.
  explicit RunClock(std::optional<Seconds> time_limit);

  [[nodiscard]] Seconds elapsed() const;
  /// What this process asks for: a signal may reach any of them, the time limit is rank 0's.
  [[nodiscard]] Stop wish_to_stop() const;

 private:
  std::optional<Seconds> time_limit_;
  Seconds begin_ = 0;
};

}  // namespace beff
