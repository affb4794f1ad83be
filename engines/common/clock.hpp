#pragma once

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

/// The time of day, RFC 3339 in UTC with seconds: 2026-11-21T22:06:14Z.
std::string utc_now();

}  // namespace beff
