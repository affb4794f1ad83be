#include "engines/common/in_time.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace beff {

void say_in_time(std::string line) {
  constexpr Seconds kTimeToSpeak = 2;
  (void)in_time(kTimeToSpeak, [line = std::move(line)] {
    fmt::print(stderr, "{}\n", line);
    return true;
  });
}

}  // namespace beff
