#pragma once

#include <string>
#include <vector>

#include "core/b_eff/averages.hpp"

namespace beff::b_eff {

/// The value as it would be if only some samples counted: one method, or one repetition.
struct Slice {
  std::string name;
  GroupAverages value;
  Figure at_lmax;           ///< rings and random
  std::int64_t best_count;  ///< how often this slice holds the best of a pattern and size
};

/// One slice per method of the plan, the additional ones included.
std::vector<Slice> by_method(const Plan& plan, std::span<const Sample> samples);

/// One slice per repetition that was begun, official methods only.
std::vector<Slice> by_repetition(const Plan& plan, std::span<const Sample> samples);

/// Lowest, logarithmic average and highest bandwidth of a group of patterns at one message size.
struct Spread {
  Figure worst;
  Figure average;
  Figure best;
};

/// Spread over the measured patterns of `group` at size index `size`, in MB/s.
Spread spread_at(const Plan& plan, const Figures& figures, Group group, std::size_t size);

}  // namespace beff::b_eff
