#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "core/record/json_fwd.hpp"

namespace beff {

/// One rule that a result must meet to be valid for comparison.
struct Criterion {
  std::string name;
  std::string required;
  std::string found;
  bool met;
};

[[nodiscard]] inline bool all_met(const std::vector<Criterion>& criteria) {
  return std::ranges::all_of(criteria, &Criterion::met);
}

[[nodiscard]] Json to_json(const std::vector<Criterion>& criteria);

}  // namespace beff
