#include "core/b_eff/message_sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/plan_error.hpp"

namespace beff::b_eff {

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

}  // namespace beff::b_eff
