#include "core/b_eff_io/partition_state.hpp"

#include <algorithm>

namespace beff::b_eff_io {

PartitionState::PartitionState(const Plan& plan) {
  for (const Type type : plan.types) {
    types.push_back({.type = type});
  }
  for (const auto& pattern : plan.patterns) {
    patterns.push_back({.pattern = pattern});
  }
}

std::span<PatternState> PartitionState::patterns_of(Type type) {
  const auto type_of = [](const PatternState& state) { return state.pattern.type; };
  return std::ranges::equal_range(patterns, type, {}, type_of);
}

void place_pattern(const Plan& plan, int processes, PatternState& state, const PatternState* before,
                   Bytes segment) {
  const auto& pattern = state.pattern;
  state.placement = {.type = pattern.type,
                     .processes = processes,
                     .chunk = pattern.chunk,
                     .chunks_per_call = pattern.chunks_per_call(),
                     .base = before != nullptr ? before->placement.base +
                                                     before->placement.advance(before->reserved)
                                               : 0,
                     .segment = row(pattern.type).in_segments() ? segment : 0,
                     .slots = state.reserved,
                     .seed = pattern_seed(plan.seed, pattern.number)};
}

std::optional<std::int64_t> calls_expected(const PatternState& state, Access access) {
  if (access != Access::kWrite) {
    return state.calls;
  }
  if (state.pattern.kind != Kind::kTimed) {
    return 1;
  }
  return row(state.pattern.type).counted ? std::optional(state.reserved) : std::nullopt;
}

std::optional<std::string> reason_to_leave_out(const PatternState& state, Access access,
                                               const Room& room) {
  if (access != Access::kWrite) {
    return state.usable ? std::nullopt
                        : std::optional<std::string>("what it would access was not written");
  }
  if (row(state.pattern.type).counted && state.reserved == 0) {
    return "no pattern of types 0-2 with this chunk size was measured";
  }
  const Bytes round = state.placement.bytes_per_round();
  if (room.on_disk < round) {
    return "no space left for one call";
  }
  if (room.in_bound < round) {
    return "the bound of written data leaves no room for one call";
  }
  return std::nullopt;
}

}  // namespace beff::b_eff_io
