#include "core/b_eff_io/partition_state.hpp"

#include <algorithm>
#include <utility>

namespace beff::b_eff_io {

PartitionState fresh_state(const Plan& plan) {
  PartitionState fresh;
  for (const Type type : plan.types) {
    auto patterns = plan.patterns_of(type);
    std::vector<Written> written(patterns.size());
    fresh.types.push_back({.type = type,
                           .patterns = std::move(patterns),
                           .written = std::move(written),
                           .unusable = false});
  }
  return fresh;
}

std::vector<MeasuredCalls> calls_written(const PartitionState& state) {
  std::vector<MeasuredCalls> calls;
  for (const auto& type : state.types) {
    for (std::size_t p = 0; p < type.patterns.size(); ++p) {
      if (type.written[p].usable) {
        calls.push_back({type.patterns[p].number, type.written[p].calls});
      }
    }
  }
  return calls;
}

Written place_pattern(const Plan& plan, int processes, const Pattern& pattern,
                      const Written* before, const CountedTypes& counted) {
  Bytes chunk = pattern.chunk;
  std::int64_t reserved = 0;
  if (row(pattern.type).counted) {
    const auto entry =
        std::ranges::find(counted.patterns, pattern.number, &CountedPattern::pattern);
    chunk = entry->chunk;
    reserved = entry->calls;
  }
  Written placed;
  placed.placement = {.type = pattern.type,
                      .processes = processes,
                      .chunk = chunk,
                      .chunks_per_call = pattern.chunks_per_call(),
                      .base = before != nullptr ? before->placement.base +
                                                      before->placement.advance(before->reserved)
                                                : 0,
                      .segment = row(pattern.type).in_segments() ? counted.segment : 0,
                      .slots = reserved,
                      .seed = pattern_seed(plan.seed, pattern.number)};
  placed.reserved = reserved;
  return placed;
}

std::optional<std::int64_t> calls_expected(const Pattern& pattern, Access access,
                                           const Written& written) {
  if (access != Access::kWrite) {
    return written.calls;
  }
  if (pattern.kind != Kind::kTimed) {
    return 1;
  }
  if (row(pattern.type).counted) {
    return written.reserved;
  }
  return std::nullopt;
}

std::optional<std::string> reason_to_leave_out(const Pattern& pattern, Access access,
                                               const Written& written, const Room& room) {
  if (access != Access::kWrite) {
    return written.usable ? std::nullopt
                          : std::optional<std::string>("what it would access was not written");
  }
  if (row(pattern.type).counted && written.reserved == 0) {
    return "no pattern of types 0-2 with this chunk size was measured";
  }
  const Bytes round = written.placement.bytes_per_round();
  if (room.on_disk < round) {
    return "no space left for one call";
  }
  if (room.in_bound < round) {
    return "the bound of written data leaves no room for one call";
  }
  return std::nullopt;
}

}  // namespace beff::b_eff_io
