#pragma once

#include <array>

#include "core/units/quantity_text.hpp"

namespace beff::b_eff {

inline constexpr int kMessageSizes = 21;
/// The sizes up to 4 KiB are the powers of two 2^0 … 2^12; the rest approach L_max.
inline constexpr int kFixedSizes = 13;
inline constexpr Bytes kLargestFixedSize = 4096;
/// Loops of the longest three sizes, which take a few iterations at most, are not warmed up.
inline constexpr int kWarmedUpSizes = kMessageSizes - 3;
/// L_max = memory per process / 128 (IPDPS paper, section 4).
inline constexpr Bytes kMemoryToLmax = 128;
/// Upper bound of L_max where int has 32 bits (IPDPS paper, "On maximum message size").
inline constexpr Bytes kLmaxBound = 128 * kMiB;

/// L_max in bytes for the given memory per process in bytes, bounded by kLmaxBound.
/// Throws PlanError when L_max would not exceed 4096 byte.
Bytes largest_message(Bytes memory_per_process);

/// The 21 message sizes in bytes, never decreasing: 1, 2, 4 … 4096, then 4096·a^k for
/// k = 1…8 with 4096·a^8 = lmax, each rounded to the nearest byte. Requires lmax > 4096.
std::array<Bytes, kMessageSizes> message_sizes(Bytes lmax);

}  // namespace beff::b_eff
