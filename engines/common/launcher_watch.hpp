#pragma once

#include "engines/common/launch.hpp"

namespace beff {

/// Ends this process at most ten seconds after its launcher has died, since nobody else would:
/// processes that wait for each other in MPI may do so for ever, with all their cores busy. First
/// the run is asked to stop, as by a signal, so that it still writes what it has measured. Does
/// nothing for a process that no launcher started, and on other systems than Linux. To be called
/// before MPI is initialised.
///
/// The kernel tells by a signal that the parent process has ended, so there is nothing to look
/// after while the launcher lives: no thread, no call of the system.
void watch_launcher(const LaunchHints& hints);

}  // namespace beff
