#include "core/b_eff_io/partition.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace beff::b_eff_io {
namespace {

bool is_counted(const Pattern& pattern) { return row(pattern.type).counted; }

/// What a pattern of types 0–2 contributes to the minimum.
std::int64_t bound_of(const PatternState& state) {
  constexpr std::int64_t kSharedFactor = 10;
  switch (state.pattern.type) {
    case Type::kScatter:
      return state.calls * state.pattern.chunks_per_call();
    case Type::kShared:
      return state.calls * kSharedFactor;
    default:
      return state.calls;
  }
}

/// Without any bound.
std::int64_t wanted_calls(std::span<const PatternState> patterns, const Pattern& pattern) {
  switch (pattern.kind) {
    case Kind::kOnce:
      return 1;
    case Kind::kTimed:
      return counted_repetitions(patterns, pattern.chunk).value_or(0);
    case Kind::kFillUp:
      break;
  }
  return 0;
}

std::int64_t scaled(const PatternState& state, double scale) {
  if (scale >= 1 || state.pattern.kind == Kind::kOnce || state.reserved == 0) {
    return state.reserved;
  }
  return std::max<std::int64_t>(
      1, static_cast<std::int64_t>(std::floor(static_cast<double>(state.reserved) * scale)));
}

/// Bytes per process of each counted type at a scale.
std::array<Bytes, kTypes.size()> bytes_by_type(std::span<const PatternState> patterns,
                                               double scale) {
  std::array<Bytes, kTypes.size()> sums{};
  for (const auto& state : patterns) {
    if (is_counted(state.pattern)) {
      sums.at(index_of(state.pattern.type)) += state.pattern.chunk * scaled(state, scale);
    }
  }
  return sums;
}

struct Need {
  Bytes segment;
  Bytes all;
};

/// L_SEG and the bytes of all counted types, per process, at a scale. L_SEG is the longer of the
/// two segmented types' where they differ.
Need need_at(std::span<const PatternState> patterns, Bytes unit, double scale) {
  const auto sums = bytes_by_type(patterns, scale);
  Need need{0, 0};
  for (const auto& entry : kTypes) {
    const Bytes bytes = sums.at(index_of(entry.type));
    if (entry.in_segments()) {
      const Bytes segment = segment_size(bytes, unit);
      need.segment = std::max(need.segment, segment);
      need.all += segment;
    } else {
      need.all += bytes;
    }
  }
  return need;
}

/// Largest scale at which `fits` holds, at most 1; the smallest scale tried where it never does.
template <class Fits>
double largest_scale(Fits&& fits) {
  if (fits(1.0)) {
    return 1;
  }
  double low = 0;
  double high = 1;
  constexpr int kHalvings = 60;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (low + high) / 2;
    (fits(middle) ? low : high) = middle;
  }
  return low;
}

void fill_up(PatternState& state, Bytes rest) {
  state.pattern.chunk = state.pattern.memory = rest;
  state.reserved = rest > 0 ? 1 : 0;
}

/// What is still to be written.
struct ToWrite {
  int time_units = 0;  ///< ΣU, each times the processes of its partition
  Bytes smallest = 0;  ///< one call per pattern
};

/// By a partition's patterns that `selects` selects.
template <class Selects>
ToWrite to_write(const Plan& plan, int processes, Selects&& selects) {
  ToWrite sum;
  for (const auto& pattern : plan.patterns) {
    if (selects(pattern)) {
      sum.smallest +=
          processes * (pattern.kind == Kind::kFillUp ? plan.unit_of_segments() : pattern.memory);
      sum.time_units += processes * pattern.time_units;
    }
  }
  return sum;
}

/// And by all patterns of the partitions behind `partition`.
ToWrite with_later_partitions(const Plan& plan, std::size_t partition, ToWrite sum) {
  for (std::size_t later = partition + 1; later < plan.partitions.size(); ++later) {
    sum.smallest += smallest_data(plan, plan.partitions[later]);
    for (const Type type : plan.types) {
      sum.time_units += plan.partitions[later] * time_units_of(type);
    }
  }
  return sum;
}

/// What `part` needs at least, and of what `all` does not need its part by U.
Bytes share(Bytes room, const ToWrite& part, const ToWrite& all) {
  if (room == kUnlimited) {
    return kUnlimited;
  }
  const auto spare = static_cast<double>(std::max<Bytes>(0, room - all.smallest));
  return part.smallest + static_cast<Bytes>(spare * part.time_units / std::max(1, all.time_units));
}

SpaceBudget narrower(Bytes by_space, Bytes by_bound) {
  return {.bytes = std::min(by_space, by_bound), .by_max_data = by_bound < by_space};
}

}  // namespace

std::optional<std::int64_t> counted_repetitions(std::span<const PatternState> patterns,
                                                Bytes chunk) {
  std::optional<std::int64_t> smallest;
  for (const auto& state : patterns) {
    const auto& pattern = state.pattern;
    if (!is_counted(state.pattern) && pattern.kind == Kind::kTimed && pattern.chunk == chunk &&
        pattern.number != kPatternBesideTable && state.usable && state.calls > 0) {
      const auto bound = bound_of(state);
      smallest = smallest ? std::min(*smallest, bound) : bound;
    }
  }
  return smallest;
}

CountedTypes plan_counted_types(std::span<PatternState> patterns, const SegmentLimits& limits) {
  for (auto& state : patterns) {
    if (is_counted(state.pattern)) {
      state.reserved = wanted_calls(patterns, state.pattern);
    }
  }
  const auto need = [&](double scale) { return need_at(patterns, limits.unit, scale); };
  const Bytes max_segment = limits.max_segment.value_or(std::numeric_limits<Bytes>::max());
  const double for_segment =
      largest_scale([&](double s) { return need(s).segment <= max_segment; });
  const double for_bytes =
      largest_scale([&](double s) { return need(s).all <= limits.per_process; });
  CountedTypes counted;
  counted.scale = std::min(for_segment, for_bytes);
  if (counted.scale < 1) {
    counted.cut = for_segment <= for_bytes ? SegmentCut::kMaxSegment : limits.per_process_reason;
  }
  counted.segment = need(counted.scale).segment;
  const auto sums = bytes_by_type(patterns, counted.scale);
  for (auto& state : patterns) {
    if (is_counted(state.pattern)) {
      state.reserved = scaled(state, counted.scale);
      if (state.pattern.kind == Kind::kFillUp) {
        fill_up(state, counted.segment - sums.at(index_of(state.pattern.type)));
      }
    }
  }
  return counted;
}

Room room_of(const Plan& plan, int processes, Bytes free, Bytes written) {
  Room room;
  if (free != kUnlimited) {
    room.on_disk = std::max<Bytes>(0, free - plan.reserve);
  }
  if (plan.max_data) {
    Bytes processes_of_all = 0;
    for (const int n : plan.partitions) {
      processes_of_all += n;
    }
    const double part =
        static_cast<double>(*plan.max_data) * processes / static_cast<double>(processes_of_all);
    room.in_bound = std::max<Bytes>(0, static_cast<Bytes>(part) - written);
  }
  return room;
}

SpaceBudget space_budget(const Plan& plan, std::size_t partition, const Pattern& pattern,
                         Bytes round, const Room& room) {
  const int processes = plan.partitions.at(partition);
  const ToWrite mine{.time_units = processes * pattern.time_units, .smallest = round};
  const auto to_come = to_write(
      plan, processes, [&](const Pattern& other) { return other.number >= pattern.number; });
  return narrower(share(room.on_disk, mine, with_later_partitions(plan, partition, to_come)),
                  share(room.in_bound, mine, to_come));
}

SpaceBudget space_budget_of_counted(const Plan& plan, std::size_t partition, const Room& room) {
  const auto counted = to_write(plan, plan.partitions.at(partition), is_counted);
  return narrower(share(room.on_disk, counted, with_later_partitions(plan, partition, counted)),
                  share(room.in_bound, counted, counted));
}

CountedTypes plan_counted(const Plan& plan, std::size_t partition, std::span<PatternState> patterns,
                          const Room& room) {
  const auto budget = space_budget_of_counted(plan, partition, room);
  return plan_counted_types(
      patterns,
      {.unit = plan.unit_of_segments(),
       .max_segment = plan.max_segment,
       .per_process =
           budget.bytes == kUnlimited ? kUnlimited : budget.bytes / plan.partitions.at(partition),
       .per_process_reason = budget.by_max_data ? SegmentCut::kMaxData : SegmentCut::kSpace});
}

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
