#include "core/b_eff_io/repetitions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace beff::b_eff_io {
namespace {

bool is_counted(const PatternState& state) { return row(state.pattern.type).counted; }

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
    if (is_counted(state)) {
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

}  // namespace

std::optional<std::int64_t> counted_repetitions(std::span<const PatternState> patterns,
                                                Bytes chunk) {
  std::optional<std::int64_t> smallest;
  for (const auto& state : patterns) {
    const auto& pattern = state.pattern;
    if (!is_counted(state) && pattern.kind == Kind::kTimed && pattern.chunk == chunk &&
        pattern.number != kPatternBesideTable && state.usable && state.calls > 0) {
      const auto bound = bound_of(state);
      smallest = smallest ? std::min(*smallest, bound) : bound;
    }
  }
  return smallest;
}

CountedTypes plan_counted_types(std::span<PatternState> patterns, const SegmentLimits& limits) {
  for (auto& state : patterns) {
    if (is_counted(state)) {
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
    if (is_counted(state)) {
      state.reserved = scaled(state, counted.scale);
      if (state.pattern.kind == Kind::kFillUp) {
        fill_up(state, counted.segment - sums.at(index_of(state.pattern.type)));
      }
    }
  }
  return counted;
}

}  // namespace beff::b_eff_io
