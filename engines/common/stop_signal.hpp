#pragma once

#include <optional>
#include <string>

#include "core/units/quantity_text.hpp"

namespace beff {

/// From now on SIGINT, SIGTERM and SIGXCPU ask for an orderly end instead of killing the process.
void catch_stop_signals();

/// True once such a signal has arrived; the measurement then ends after the loop it is in.
[[nodiscard]] bool stop_was_requested();

/// Why a run ends early, for the reader: by a signal, or else because it is over its time.
[[nodiscard]] std::string why_stopped(bool by_signal, std::optional<Seconds> time_limit);

}  // namespace beff
