#pragma once

#include "core/record/environment.hpp"

namespace beff {

/// Built for SimGrid's SMPI: hosts, network and MPI_Wtime are simulated, all processes are threads
/// of one, and the machine underneath must not be taken for a node.
#ifdef BEFF_SMPI
inline constexpr bool kSimulated = true;
#else
inline constexpr bool kSimulated = false;
#endif

/// What simulates, and what BEFF_SIMULATION, a JSON object set by `beff simulate`, says of the
/// network; null on a real machine.
RecordedJson simulation_record();

/// The simulated system in the place of uname(2).
Uname simulated_system(const Json& simulation);

}  // namespace beff
