#pragma once

#include <fmt/format.h>

#include <string>

#include "core/means.hpp"

namespace beff {

/// A figure right-aligned in `width` columns; "-" where there is none.
[[nodiscard]] inline std::string cell(const Figure& figure, int width = 10) {
  return figure ? fmt::format("{:{}.3f}", *figure, width) : fmt::format("{:>{}}", "-", width);
}

[[nodiscard]] inline std::string heading(const std::string& title) {
  return fmt::format("\n{}\n{:-<{}}\n", title, "", title.size());
}

}  // namespace beff
