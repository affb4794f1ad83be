#include "core/b_eff/loop_length.hpp"

#include <algorithm>
#include <cmath>

namespace beff::b_eff {
namespace {

Seconds expected_iteration(const std::optional<IterationTime>& before_last,
                           const IterationTime& last, Bytes next_size) {
  if (!before_last || before_last->size == last.size) {
    return last.seconds;
  }
  const Seconds at_most =
      last.seconds * static_cast<double>(next_size) / static_cast<double>(last.size);
  const double slope =
      (last.seconds - before_last->seconds) / static_cast<double>(last.size - before_last->size);
  const Seconds on_the_line = last.seconds + slope * static_cast<double>(next_size - last.size);
  return std::clamp(on_the_line, last.seconds, std::max(last.seconds, at_most));
}

}  // namespace

std::int64_t next_loop_length(const LoopTime& window,
                              const std::optional<IterationTime>& before_last,
                              const IterationTime& last, Bytes next_size) {
  const Seconds target = std::sqrt(window.shortest * window.longest());
  const Seconds iteration = expected_iteration(before_last, last, next_size);
  // A clock too coarse to see one iteration gives 0: bound the length instead of dividing by it.
  constexpr Seconds kFastestIteration = 1e-9;
  return std::max<std::int64_t>(1, std::llround(target / std::max(iteration, kFastestIteration)));
}

std::int64_t fixed_loop_length(Bytes lmax, Bytes size) {
  constexpr std::int64_t kLongest = 300;
  return std::max<std::int64_t>(1, std::min<std::int64_t>(kLongest, lmax / size));
}

}  // namespace beff::b_eff
