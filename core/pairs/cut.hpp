#pragma once

#include <string>
#include <vector>

namespace beff::pairs {

/// Two units by number, the smaller one first.
struct UnitPair {
  int first = 0;
  int second = 0;
  friend bool operator==(const UnitPair&, const UnitPair&) = default;
};

/// The units in two parts, of which each unit of one meets each of the other: in step s unit i of
/// the smaller part meets unit (i + s) mod m of the larger, which has m units and as many steps.
/// Where the parts are not equal, some units of the larger one wait, others in each step.
class Cut {
 public:
  /// Each unit is in one part; none is empty.
  Cut(std::vector<int> one, std::vector<int> other);

  [[nodiscard]] int steps() const { return static_cast<int>(larger_.size()); }
  /// In the order of the smaller part.
  [[nodiscard]] std::vector<UnitPair> pairs_of_step(int step) const;

 private:
  std::vector<int> smaller_;
  std::vector<int> larger_;
};

/// The first half of `units` in this order and the second, which has one more where they are odd.
[[nodiscard]] Cut halves_of(const std::vector<int>& units);

/// The units of 0 … `units` - 1 that are not in `part`, in their order behind those that are.
[[nodiscard]] Cut cut_by(const std::vector<int>& part, int units);

/// The first half of the units in the order of what is above each, `switches` from the top down, so
/// that those below one switch stay together; where that is equal, by number. Empty where that is
/// the first half by number, or not known of one of them.
[[nodiscard]] std::vector<int> half_by_switches(const std::vector<std::string>& switches);

/// The step that is measured at place `number` of `steps`: each once, and those that follow each
/// other far apart, so that the first of them stand for all. The stride is the largest number up to
/// 0.618 of the steps that has no divisor in common with them.
[[nodiscard]] int spread_step(int number, int steps);

}  // namespace beff::pairs
