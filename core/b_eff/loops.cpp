#include "core/b_eff/loops.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/plan_error.hpp"

namespace beff::b_eff {
namespace {

/// Neighbours among all 21 sizes differ by less; a choice of sizes may leave a gap.
constexpr Bytes kLargestStep = 4;
/// What one process may move at most across a gap, in byte/s.
constexpr double kRateAcrossGap = 1e10;

Seconds expected_iteration(const std::optional<IterationTime>& before_last,
                           const IterationTime& last, Bytes next_size) {
  const Seconds at_most =
      last.seconds * static_cast<double>(next_size) / static_cast<double>(last.size);
  const bool gap = next_size > kLargestStep * last.size;
  const Seconds by_bytes = gap ? static_cast<double>(next_size) / kRateAcrossGap : 0;
  const Seconds at_least = std::max(last.seconds, std::min(by_bytes, at_most));
  if (!before_last || before_last->size == last.size) {
    return at_least;
  }
  const double slope =
      (last.seconds - before_last->seconds) / static_cast<double>(last.size - before_last->size);
  const Seconds on_the_line = last.seconds + slope * static_cast<double>(next_size - last.size);
  return std::clamp(on_the_line, at_least, std::max(at_least, at_most));
}

}  // namespace

Bytes largest_message(Bytes memory_per_process) {
  const Bytes lmax = std::min(memory_per_process / kMemoryToLmax, kLmaxBound);
  if (lmax <= kLargestFixedSize) {
    throw PlanError("memory-per-process",
                    fmt::format("{}: gives L_max = memory / 128 = {} byte, which must exceed 4096 "
                                "byte; b_eff needs more than 512 KiB of memory per process",
                                format_size(memory_per_process), lmax));
  }
  return lmax;
}

std::array<Bytes, kMessageSizes> message_sizes(Bytes lmax) {
  constexpr int kSteps = kMessageSizes - kFixedSizes;
  std::array<Bytes, kMessageSizes> sizes{};
  for (int i = 0; i < kFixedSizes; ++i) {
    sizes.at(static_cast<std::size_t>(i)) = Bytes{1} << i;
  }
  const double ratio = static_cast<double>(lmax) / static_cast<double>(kLargestFixedSize);
  for (int k = 1; k < kSteps; ++k) {
    const double exact =
        static_cast<double>(kLargestFixedSize) * std::pow(ratio, static_cast<double>(k) / kSteps);
    constexpr std::size_t kBefore = kFixedSizes - 1;
    sizes.at(kBefore + static_cast<std::size_t>(k)) = std::llround(exact);
  }
  sizes.back() = lmax;
  return sizes;
}

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
