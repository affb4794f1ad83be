#pragma once

#include <cstdint>
#include <string_view>

namespace beff::b_eff {

/// The two published definitions of the value.
enum class Definition : std::uint8_t {
  k3_5,  ///< rings and random rings (IPDPS 2001 paper, section 4)
  k3_1,  ///< cyclic Cartesian patterns and random rings, fixed loop lengths (release 3.1)
};

[[nodiscard]] constexpr std::string_view to_string(Definition definition) {
  return definition == Definition::k3_5 ? "3.5" : "3.1";
}

/// Repetitions of each measurement; the best counts.
inline constexpr int kRepetitions = 3;

}  // namespace beff::b_eff
