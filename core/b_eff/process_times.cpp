#include "core/b_eff/process_times.hpp"

#include <algorithm>
#include <cmath>

#include "core/means.hpp"

namespace beff::b_eff {
namespace {

/// A time is not known better than that, and a file with many of them stays half as large.
Seconds rounded_to_four_digits(Seconds time) {
  constexpr int kDigits = 4;
  const int exponent = kDigits - 1 - static_cast<int>(std::floor(std::log10(time)));
  const double scale = std::pow(10.0, std::abs(exponent));
  return exponent < 0 ? std::round(time / scale) * scale : std::round(time * scale) / scale;
}

}  // namespace

OwnTimes::OwnTimes(std::size_t patterns) : best_(patterns) {
  for (auto& by_size : best_) {
    by_size.fill(kNever);
  }
}

void OwnTimes::add(std::size_t pattern, int size, Seconds one_iteration) {
  auto& best = best_.at(pattern).at(static_cast<std::size_t>(size));
  best = std::min(best, one_iteration);
}

std::vector<Seconds> OwnTimes::condensed() const {
  std::vector<Seconds> list;
  for (const auto& by_size : best_) {
    for (const MessageLength messages : kMessageLengths) {
      const auto [name, first, last] = size_range(messages);
      std::vector<Seconds> measured;
      for (int size = first; size <= last; ++size) {
        const Seconds best = by_size.at(static_cast<std::size_t>(size));
        if (best < kNever) {
          measured.push_back(best);
        }
      }
      const bool resolved = !measured.empty() && std::ranges::min(measured) > 0;
      list.push_back(resolved ? rounded_to_four_digits(logavg(measured).value_or(0)) : kNone);
    }
  }
  return list;
}

std::optional<Seconds> ProcessTimes::at(std::size_t rank, std::size_t pattern,
                                        MessageLength messages) const {
  const auto index =
      (rank * patterns + pattern) * kMessageLengths.size() + static_cast<std::size_t>(messages);
  const Seconds time = known() ? values.at(index) : OwnTimes::kNone;
  return time > OwnTimes::kNone ? std::optional(time) : std::nullopt;
}

}  // namespace beff::b_eff
