#pragma once

namespace beff {

/// From now on SIGINT, SIGTERM and SIGXCPU ask for an orderly end instead of killing the process.
void catch_stop_signals();

/// True once such a signal has arrived; the measurement then ends after the loop it is in.
[[nodiscard]] bool stop_was_requested();

}  // namespace beff
