#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/b_eff_io/pattern_table.hpp"

namespace beff::b_eff_io {

/// Calls that each process made in the initial write of one pattern.
struct MeasuredCalls {
  int pattern;  ///< number
  std::int64_t calls;
};

/// Repetitions of a chunk of `chunk` byte in types 3 and 4 (and in the random types), from the
/// calls of types 0–2 for the same chunk size: min(rep0 · L0 / l, 10 · rep1, rep2). Pattern 2 does
/// not take part, nor does a pattern that was not measured; empty when none is left. At least 1.
[[nodiscard]] std::optional<std::int64_t> counted_repetitions(
    const std::vector<Pattern>& patterns, const std::vector<MeasuredCalls>& calls, Kind kind,
    Bytes chunk);

/// What made segments smaller than the repetitions ask for.
enum class SegmentCut : std::uint8_t { kNone, kMaxSegment, kSpace, kMaxData };

[[nodiscard]] constexpr std::string_view to_string(SegmentCut cut) {
  constexpr std::array<std::string_view, 4> kNames{"none", "max-segment", "space", "max-data"};
  return kNames.at(static_cast<std::size_t>(cut));
}

/// Bounds of what the counted types of a partition may write.
struct SegmentLimits {
  Bytes unit = kMiB;                 ///< L_SEG is a multiple of it
  std::optional<Bytes> max_segment;  ///< bound of L_SEG
  Bytes per_process;                 ///< bound of all counted types together, per process
  SegmentCut per_process_reason = SegmentCut::kSpace;
};

/// A counted pattern with its repetitions; for a fill-up `calls` is 0 or 1 and `chunk` what is
/// left.
struct CountedPattern {
  int pattern;  ///< number
  Bytes chunk;
  std::int64_t calls;  ///< 0: not measured, because its chunk size was not in types 0–2
};

/// Repetitions of all counted types of a partition, fixed before the first of them is written.
struct CountedTypes {
  Bytes segment = 0;  ///< L_SEG of types 3 and 4
  SegmentCut cut = SegmentCut::kNone;
  double scale = 1;  ///< the repetitions were multiplied by this, rounded down, but to at least 1
  std::vector<CountedPattern> patterns;
};

/// Plans the counted types among `patterns`. Where a bound cuts, all repetitions are scaled by the
/// same factor; once-patterns are not, and every pattern keeps one call.
[[nodiscard]] CountedTypes plan_counted_types(const std::vector<Pattern>& patterns,
                                              const std::vector<MeasuredCalls>& calls,
                                              const SegmentLimits& limits);

}  // namespace beff::b_eff_io
