#include "engines/common/in_time.hpp"

#include "engines/common/fail.hpp"

namespace beff {

void say_in_time(std::string line) {
  constexpr Seconds kTimeToSpeak = 2;
  (void)in_time(kTimeToSpeak, [line = std::move(line)] {
    say(line);
    return true;
  });
}

}  // namespace beff
