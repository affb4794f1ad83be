#pragma once

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <span>
#include <string>

namespace beff {

/// A figure that exists only when all that enters it was measured. Bandwidths are in MB/s.
using Figure = std::optional<double>;

inline void raise_to(Figure& best, const Figure& value) {
  if (value && (!best || *value > *best)) {
    best = value;
  }
}

/// Arithmetic mean of a non-empty range.
[[nodiscard]] inline double mean(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) {
    sum += value;
  }
  return sum / static_cast<double>(values.size());
}

/// The papers' logarithmic average: the geometric mean of positive values; empty for none.
[[nodiscard]] inline Figure logavg(std::span<const double> values) {
  if (values.empty()) {
    return std::nullopt;
  }
  double sum = 0;
  for (const double value : values) {
    sum += std::log(value);
  }
  return std::exp(sum / static_cast<double>(values.size()));
}

/// A figure right-aligned in `width` columns; "-" where there is none.
[[nodiscard]] inline std::string cell(const Figure& figure, int width = 10) {
  return figure ? fmt::format("{:{}.3f}", *figure, width) : fmt::format("{:>{}}", "-", width);
}

[[nodiscard]] inline std::string heading(const std::string& title) {
  return fmt::format("\n{}\n{:-<{}}\n", title, "", title.size());
}

}  // namespace beff
