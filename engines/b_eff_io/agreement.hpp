#pragma once

#include <mpi.h>

#include <cstdint>

#include "core/b_eff_io/machine.hpp"

namespace beff::b_eff_io {

/// How processes wait for each other.
enum class Waiting : std::uint8_t {
  kSpinning,  ///< as the library does
  kNapping,   ///< where processes share cores: those that wait leave theirs to the others
};

/// All processes of a communicator pass what they see and get what all have seen, by one reduction:
/// maxima of elapsed, error and stop, the minimum of free. Collective.
[[nodiscard]] Outcome agree_on(MPI_Comm comm, const Outcome& mine, Waiting waiting);

/// Waits until all processes of `comm` have come. Collective.
void barrier(MPI_Comm comm, Waiting waiting);

/// The same without keeping a core busy, and with longer naps: processes that do not belong to a
/// partition wait for it for minutes, on cores that others measure with. Collective.
void idle_barrier(MPI_Comm comm);

}  // namespace beff::b_eff_io
