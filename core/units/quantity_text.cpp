#include "core/units/quantity_text.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <span>
#include <stdexcept>

namespace beff {
namespace {

struct Unit {
  std::string_view name;
  double factor;
};

constexpr std::array kSizeUnits{
    Unit{"", 1},
    Unit{"B", 1},
    Unit{"kB", 1e3},
    Unit{"MB", 1e6},
    Unit{"GB", 1e9},
    Unit{"TB", 1e12},
    Unit{"KiB", 1024.0},
    Unit{"MiB", 1048576.0},
    Unit{"GiB", 1073741824.0},
    Unit{"TiB", 1099511627776.0},
};

constexpr std::array kDurationUnits{
    Unit{"us", 1e-6}, Unit{"ms", 1e-3}, Unit{"s", 1}, Unit{"min", 60}, Unit{"h", 3600},
};

struct Quantity {
  double number;
  std::string_view unit;
};

Quantity split(std::string_view text) {
  double number = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  if (error != std::errc{} || !std::isfinite(number)) {
    throw std::invalid_argument("does not start with a number");
  }
  if (number < 0) {
    throw std::invalid_argument("is negative");
  }
  auto unit = text.substr(static_cast<std::size_t>(end - text.data()));
  while (!unit.empty() && unit.front() == ' ') {
    unit.remove_prefix(1);
  }
  return {number, unit};
}

double scale(const Quantity& quantity, std::span<const Unit> units, std::string_view known) {
  for (const auto& unit : units) {
    if (unit.name == quantity.unit) {
      return quantity.number * unit.factor;
    }
  }
  throw std::invalid_argument(
      quantity.unit.empty()
          ? fmt::format("has no unit; write one of {}", known)
          : fmt::format("has the unknown unit '{}'; write one of {}", quantity.unit, known));
}

}  // namespace

Bytes parse_size(std::string_view text) {
  const double bytes =
      std::round(scale(split(text), kSizeUnits, "B, kB, MB, GB, TB, KiB, MiB, GiB, TiB"));
  if (bytes >= static_cast<double>(std::numeric_limits<Bytes>::max())) {
    throw std::invalid_argument("is larger than 2^63 byte");
  }
  return static_cast<Bytes>(bytes);
}

Bytes product(std::uint64_t count, std::uint64_t each) {
  Bytes bytes = 0;
  return __builtin_mul_overflow(count, each, &bytes) ? std::numeric_limits<Bytes>::max() : bytes;
}

Seconds parse_duration(std::string_view text) {
  return scale(split(text), kDurationUnits, "us, ms, s, min, h");
}

std::string format_size(Bytes bytes) {
  constexpr std::array<std::string_view, 5> kNames{"B", "KiB", "MiB", "GiB", "TiB"};
  // What one decimal would round up to 1024
  constexpr double kNextUnit = 1023.95;
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while ((value >= 1024.0 || (unit > 0 && value >= kNextUnit)) && unit + 1 < kNames.size()) {
    value /= 1024.0;
    ++unit;
  }
  if (value == std::floor(value)) {
    return fmt::format("{:.0f} {}", value, kNames[unit]);
  }
  return fmt::format("{:.{}f} {}", value, value < 100 ? 2 : 1, kNames[unit]);
}

std::string memory_text(Bytes per_process) { return fmt::format("{:.0f}", mbytes(per_process)); }

std::string counted(std::int64_t number, std::string_view noun) {
  const auto* const plural = noun.ends_with('s') ? "es" : "s";
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : plural);
}

std::string runs_text(const std::vector<std::optional<std::int64_t>>& numbers) {
  std::string text;
  for_each_run(numbers, [&](const auto& number, auto count) {
    text +=
        fmt::format("{}{}{}", text.empty() ? "" : " ", number ? fmt::format("{}", *number) : "-",
                    count > 1 ? fmt::format("x{}", count) : "");
  });
  return text;
}

std::string format_duration(Seconds seconds) {
  if (seconds == 0) {
    return "0 s";
  }
  // Each unit ends where its digits would round up to the next one.
  if (seconds < 0.000'999'995) {
    return seconds >= 0.000'000'005 ? fmt::format("{:.2f} us", seconds * 1e6)
                                    : fmt::format("{:.1g} us", seconds * 1e6);
  }
  if (seconds < 0.999'995) {
    return fmt::format("{:.2f} ms", seconds * 1e3);
  }
  if (seconds < 59.5) {
    const bool whole = seconds >= 9.95 || seconds == std::floor(seconds) || seconds < 1;
    return fmt::format("{:.{}f} s", seconds, whole ? 0 : 1);
  }
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  if (whole < 3600) {
    return whole % 60 == 0 ? fmt::format("{} min", whole / 60)
                           : fmt::format("{} min {:02} s", whole / 60, whole % 60);
  }
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace beff
