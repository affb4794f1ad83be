#pragma once

#include <optional>
#include <string>

#include "core/units/quantity_text.hpp"
#include "engines/common/mpi/launch.hpp"

namespace beff {

/// Why a run is asked to end.
enum class StopRequest : int { kNone, kSignal, kLauncherDied };

/// From now on a call that would send SIGXFSZ or SIGPIPE fails instead, with EFBIG or EPIPE.
void take_errors_for_signals();

/// From now on the signals by which users, terminals and batch systems end a job ask for an orderly
/// end instead of killing the process. After MPI_Init, where libraries set handlers of their own.
void catch_stop_signals();

/// Asks for an orderly end, as such a signal does; the first reason counts. For signal handlers,
/// too.
void request_stop(StopRequest reason);

/// True once somebody has asked; the measurement then ends after the loop it is in.
[[nodiscard]] bool stop_was_requested();

/// Why a run ends early, for the reader: because it was asked to, or else because it is over its
/// time.
[[nodiscard]] std::string why_stopped(bool asked, std::optional<Seconds> time_limit);

/// Ends this process at most ten seconds after its launcher has died, since nobody else would:
/// processes that wait for each other in MPI may do so for ever, with all their cores busy. First
/// the run is asked to stop, as by a signal, so that it still writes what it has measured. Does
/// nothing for a process that no launcher started, and on other systems than Linux. To be called
/// before MPI is initialised.
///
/// The kernel sends a signal when the parent process has ended, so there is nothing to look
/// after while the launcher lives: no thread, no call of the system.
void watch_launcher(const LaunchHints& hints);

}  // namespace beff
