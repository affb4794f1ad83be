#pragma once

#include "engines/common/memory/memory.hpp"

namespace beff {

/// The first and the last byte of a message, by which it is checked; of one byte both are the same.
struct Ends {
  char first;
  char last;

  friend bool operator==(const Ends&, const Ends&) = default;
};

[[nodiscard]] inline Ends read_ends(BufferMemory& memory, const char* message, Bytes last_byte) {
  Ends ends{};
  memory.read(&ends.first, message, 1);
  memory.read(&ends.last, message + last_byte, 1);
  return ends;
}

/// Of a message of one byte the last is what stays.
inline void write_ends(BufferMemory& memory, char* message, Bytes last_byte, const Ends& ends) {
  memory.write(message, &ends.first, 1);
  memory.write(message + last_byte, &ends.last, 1);
}

}  // namespace beff
