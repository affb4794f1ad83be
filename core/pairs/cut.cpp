#include "core/pairs/cut.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>

namespace beff::pairs {

Cut::Cut(std::vector<int> one, std::vector<int> other)
    : smaller_(std::move(one)), larger_(std::move(other)) {
  if (smaller_.size() > larger_.size()) {
    std::swap(smaller_, larger_);
  }
}

std::vector<UnitPair> Cut::pairs_of_step(int step) const {
  std::vector<UnitPair> pairs;
  pairs.reserve(smaller_.size());
  auto place = static_cast<std::size_t>(step);
  for (const int unit : smaller_) {
    const int partner = larger_[place % larger_.size()];
    pairs.push_back({.first = std::min(unit, partner), .second = std::max(unit, partner)});
    ++place;
  }
  return pairs;
}

Cut halves_of(const std::vector<int>& units) {
  const auto middle = units.begin() + static_cast<std::ptrdiff_t>(units.size() / 2);
  return {{units.begin(), middle}, {middle, units.end()}};
}

Cut cut_by(const std::vector<int>& part, int units) {
  std::vector<bool> inside(static_cast<std::size_t>(units));
  for (const int unit : part) {
    inside[static_cast<std::size_t>(unit)] = true;
  }
  std::vector<int> other;
  for (int unit = 0; unit < units; ++unit) {
    if (!inside[static_cast<std::size_t>(unit)]) {
      other.push_back(unit);
    }
  }
  return {part, std::move(other)};
}

std::vector<int> half_by_switches(const std::vector<std::string>& switches) {
  std::vector<int> units(switches.size());
  std::iota(units.begin(), units.end(), 0);
  if (std::ranges::find(switches, "") != switches.end()) {
    return {};
  }
  std::ranges::stable_sort(units, {}, [&](int unit) -> const std::string& {
    return switches[static_cast<std::size_t>(unit)];
  });
  units.resize(units.size() / 2);
  std::ranges::sort(units);
  const bool is_by_number = units.empty() || std::cmp_equal(units.back() + 1, units.size());
  return is_by_number ? std::vector<int>() : units;
}

int spread_step(int number, int steps) {
  constexpr double kGolden = 0.618;
  int stride = std::max(1, static_cast<int>(kGolden * steps));
  while (std::gcd(stride, steps) != 1) {
    --stride;
  }
  return static_cast<int>(std::int64_t{number} * stride % steps);
}

}  // namespace beff::pairs
