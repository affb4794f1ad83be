#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/b_eff_io/layout.hpp"
#include "core/b_eff_io/pattern_table.hpp"

namespace beff::b_eff_io {

/// What a partition keeps of a pattern from access to access.
struct PatternState {
  Pattern pattern;            ///< sizes of a fill-up once its type is planned
  Placement placement{};      ///< once the initial write has come to it
  std::int64_t calls = 0;     ///< of the initial write, without error
  std::int64_t reserved = 0;  ///< calls that the file has room for before the next pattern
  bool rewritten = false;     ///< all of them
  bool usable = false;        ///< holds what was written last
};

/// Repetitions of a chunk of `chunk` byte in types 3 and 4 (and in the random types), from the
/// calls of types 0–2 for the same chunk size: min(rep0 · L0 / l, 10 · rep1, rep2). Pattern 2 does
/// not take part, nor does a pattern that was not measured; empty when none is left. At least 1.
[[nodiscard]] std::optional<std::int64_t> counted_repetitions(
    std::span<const PatternState> patterns, Bytes chunk);

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

/// What the counted types of a partition have in common.
struct CountedTypes {
  Bytes segment = 0;  ///< L_SEG of types 3 and 4
  SegmentCut cut = SegmentCut::kNone;
  double scale = 1;  ///< the repetitions were multiplied by this, rounded down, but to at least 1
};

/// Plans the counted types among `patterns`, before the first of them is written: sets `reserved`
/// (0: its chunk size was not measured in types 0–2) and the size of what fills up a segment. Where
/// a bound cuts, all repetitions are scaled by the same factor; once-patterns are not, and every
/// pattern keeps one call.
[[nodiscard]] CountedTypes plan_counted_types(std::span<PatternState> patterns,
                                              const SegmentLimits& limits);

}  // namespace beff::b_eff_io
