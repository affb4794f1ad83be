#pragma once

#include <cstdint>

namespace beff {

/// Why the measurement is to end before its plan does; the largest asked for by any process counts.
enum class Stop : std::int32_t { kNo = 0, kTimeLimit = 1, kSignal = 2 };

/// Base of what measure() of each program asks to measure: there is one for a run, in one place.
class AnyMachine {
 public:
  AnyMachine() = default;
  AnyMachine(const AnyMachine&) = delete;
  AnyMachine(AnyMachine&&) = delete;
  AnyMachine& operator=(const AnyMachine&) = delete;
  AnyMachine& operator=(AnyMachine&&) = delete;
  virtual ~AnyMachine() = default;
};

}  // namespace beff
