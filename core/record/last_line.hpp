#pragma once

#include <string>

#include "core/record/environment.hpp"

namespace beff {

/// Bytes in units of 2^20 byte, which the papers' protocols call MByte.
[[nodiscard]] constexpr double mbytes(Bytes bytes) {
  return static_cast<double>(bytes) / static_cast<double>(kMiB);
}

/// The memory of a process as both programs print it: MByte of 2^20 byte, rounded to whole ones.
[[nodiscard]] std::string memory_text(Bytes per_process);

/// The machine as both last lines name it: the words of `uname -a`.
[[nodiscard]] std::string machine_text(const Uname& system);

}  // namespace beff
