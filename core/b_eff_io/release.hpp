#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/b_eff_io/batch_control.hpp"

namespace beff::b_eff_io {

/// The published releases whose value can be computed; the chosen one gives the headline.
enum class Release : std::uint8_t {
  k0_5,  ///< Euro-Par paper: all patterns by their time units
  k1,    ///< IPDPS paper: mean of types and access methods
  k2_1,  ///< geometric mean of write and read, rewrite of the scatter type only
};

inline constexpr std::array kReleases{Release::k0_5, Release::k1, Release::k2_1};

[[nodiscard]] constexpr std::size_t index_of(Release release) {
  return static_cast<std::size_t>(release);
}

[[nodiscard]] constexpr std::string_view to_string(Release release) {
  constexpr std::array<std::string_view, 3> kNames{"0.5", "1", "2.1"};
  return kNames.at(index_of(release));
}

/// When a loop of the initial write ends.
[[nodiscard]] constexpr TimeRule rule_of(Release release) {
  return release == Release::k2_1 ? TimeRule::kWhileOneFits : TimeRule::kWhileShorter;
}

}  // namespace beff::b_eff_io
