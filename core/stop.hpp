#pragma once

#include <cstdint>

namespace beff {

/// Why the measurement is to end before its plan does; the largest asked for by any process counts.
enum class Stop : std::int32_t { kNo = 0, kTimeLimit = 1, kSignal = 2 };

}  // namespace beff
