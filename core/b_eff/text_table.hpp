#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "core/b_eff/averages.hpp"

namespace beff::b_eff {

/// A figure right-aligned in ten columns; "-" where there is none.
[[nodiscard]] inline std::string cell(const Figure& figure, int digits = 3) {
  constexpr int kWidth = 10;
  return figure ? fmt::format("{:{}.{}f}", *figure, kWidth, digits)
                : fmt::format("{:>{}}", "-", kWidth);
}

[[nodiscard]] inline std::string heading(const std::string& title) {
  return fmt::format("\n{}\n{:-<{}}\n", title, "", title.size());
}

/// Ring sizes with equal neighbours counted: `2 x 49, 3`.
[[nodiscard]] inline std::string counted_sizes(const std::vector<int>& sizes) {
  std::string text;
  for (std::size_t i = 0; i < sizes.size();) {
    std::size_t behind = i;
    while (behind < sizes.size() && sizes[behind] == sizes[i]) {
      ++behind;
    }
    text += text.empty() ? "" : ", ";
    text += behind - i == 1 ? fmt::format("{}", sizes[i])
                            : fmt::format("{} x {}", behind - i, sizes[i]);
    i = behind;
  }
  return text;
}

}  // namespace beff::b_eff
