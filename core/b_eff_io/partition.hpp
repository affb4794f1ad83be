#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/b_eff_io/batch_control.hpp"
#include "core/b_eff_io/layout.hpp"
#include "core/b_eff_io/pattern_table.hpp"
#include "core/b_eff_io/plan.hpp"

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

/// What a partition may write.
struct Room {
  Bytes on_disk = kUnlimited;   ///< of the file system, without the reserve
  Bytes in_bound = kUnlimited;  ///< of the partition's part of Plan::max_data
};

/// `free`: of the file system; `written`: byte that the partition has written so far. The bound is
/// divided by the processes of the partitions, so that no process must know what others have
/// written.
[[nodiscard]] Room room_of(const Plan& plan, int processes, Bytes free, Bytes written);

/// A part of the room.
struct SpaceBudget {
  Bytes bytes = kUnlimited;
  bool by_max_data = false;  ///< the bound is narrower than the disk
};

/// For the timed pattern `pattern` of the initial write: one round of calls, and of what is not
/// needed for one round of each pattern to come its part by U times processes. Of the disk also the
/// later partitions get their part. So a small disk cuts all patterns, not the last ones.
[[nodiscard]] SpaceBudget space_budget(const Plan& plan, std::size_t partition,
                                       const Pattern& pattern, Bytes round, const Room& room);

/// The same for all counted types of the partition together, before the first of them is written.
[[nodiscard]] SpaceBudget space_budget_of_counted(const Plan& plan, std::size_t partition,
                                                  const Room& room);

/// Plans the counted types, from the calls of types 0–2 and the room that there is.
[[nodiscard]] CountedTypes plan_counted(const Plan& plan, std::size_t partition,
                                        std::span<PatternState> patterns, const Room& room);

/// What one type of a partition keeps from access to access.
struct TypeState {
  Type type;
  bool unusable = false;  ///< its file could not be opened or closed
};

/// What a partition keeps from access to access.
struct PartitionState {
  explicit PartitionState(const Plan& plan);

  /// Those of a type, in the order of their numbers.
  [[nodiscard]] std::span<PatternState> patterns_of(Type type);

  std::vector<TypeState> types;        ///< as many as Plan::types
  std::vector<PatternState> patterns;  ///< as many as Plan::patterns
  Bytes data = 0;                      ///< written so far
  bool counted_planned = false;
};

/// Puts a pattern of the initial write behind `before`, the one before it in its file (null for the
/// first one). `segment` is L_SEG.
void place_pattern(const Plan& plan, int processes, PatternState& state, const PatternState* before,
                   Bytes segment);

/// Calls that a pattern shall make; empty where time decides.
[[nodiscard]] std::optional<std::int64_t> calls_expected(const PatternState& state, Access access);

/// Why no call of a pattern can be made; empty where it can.
[[nodiscard]] std::optional<std::string> reason_to_leave_out(const PatternState& state,
                                                             Access access, const Room& room);

}  // namespace beff::b_eff_io
