#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

namespace beff {

/// Numbers with equal neighbours counted: `0x16 1x16 2`, sixteen times 0, sixteen times 1, once 2.
[[nodiscard]] inline std::string runs_text(const std::vector<int>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t behind = i + 1;
    while (behind < numbers.size() && numbers[behind] == numbers[i]) {
      ++behind;
    }
    text += fmt::format("{}{}", text.empty() ? "" : " ", numbers[i]);
    if (behind - i > 1) {
      text += fmt::format("x{}", behind - i);
    }
    i = behind;
  }
  return text;
}

}  // namespace beff
