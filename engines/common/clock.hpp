#pragma once

#include <string>

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

}  // namespace beff
