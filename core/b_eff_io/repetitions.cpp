#include "core/b_eff_io/repetitions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/b_eff_io/layout.hpp"

namespace beff::b_eff_io {
namespace {

std::int64_t calls_of(const std::vector<MeasuredCalls>& calls, int number) {
  const auto found = std::ranges::find(calls, number, &MeasuredCalls::pattern);
  return found == calls.end() ? 0 : found->calls;
}

/// What a pattern of types 0–2 contributes to the minimum.
std::int64_t bound_of(const Pattern& pattern, std::int64_t calls) {
  constexpr std::int64_t kSharedFactor = 10;
  switch (pattern.type) {
    case Type::kScatter:
      return calls * pattern.chunks_per_call();
    case Type::kShared:
      return calls * kSharedFactor;
    default:
      return calls;
  }
}

std::int64_t scaled(const Pattern& pattern, std::int64_t calls, double scale) {
  if (scale >= 1 || pattern.kind == Kind::kOnce || calls == 0) {
    return calls;
  }
  return std::max<std::int64_t>(
      1, static_cast<std::int64_t>(std::floor(static_cast<double>(calls) * scale)));
}

/// Bytes per process by type.
using TypeBytes = std::array<Bytes, kTypes.size()>;

TypeBytes bytes_by_type(const std::vector<Pattern>& patterns,
                        const std::vector<CountedPattern>& counted, double scale) {
  TypeBytes sums{};
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    sums.at(index_of(patterns[i].type)) +=
        counted[i].chunk * scaled(patterns[i], counted[i].calls, scale);
  }
  return sums;
}

struct Need {
  Bytes segment;
  Bytes all;
};

/// L_SEG and the bytes of all counted types, per process, at a scale. L_SEG is the longer of the
/// two segmented types' where they differ.
Need need_at(const std::vector<Pattern>& patterns, const std::vector<CountedPattern>& counted,
             const SegmentLimits& limits, double scale) {
  const auto sums = bytes_by_type(patterns, counted, scale);
  Need need{0, 0};
  for (const auto& entry : kTypes) {
    const Bytes bytes = sums.at(index_of(entry.type));
    if (entry.in_segments()) {
      const Bytes segment = segment_size(bytes, limits.unit);
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

}  // namespace

std::optional<std::int64_t> counted_repetitions(const std::vector<Pattern>& patterns,
                                                const std::vector<MeasuredCalls>& calls, Kind kind,
                                                Bytes chunk) {
  std::optional<std::int64_t> smallest;
  for (const auto& pattern : patterns) {
    const bool takes_part = !row(pattern.type).counted && pattern.kind == kind &&
                            pattern.chunk == chunk && pattern.number != kPatternBesideTable;
    const auto measured = takes_part ? calls_of(calls, pattern.number) : 0;
    if (measured > 0) {
      const auto bound = bound_of(pattern, measured);
      smallest = smallest ? std::min(*smallest, bound) : bound;
    }
  }
  return smallest;
}

CountedTypes plan_counted_types(const std::vector<Pattern>& patterns,
                                const std::vector<MeasuredCalls>& calls,
                                const SegmentLimits& limits) {
  std::vector<Pattern> of_counted;
  std::vector<CountedPattern> counted;
  for (const auto& pattern : patterns) {
    if (!row(pattern.type).counted) {
      continue;
    }
    std::int64_t repetitions = 0;
    if (pattern.kind == Kind::kOnce) {
      repetitions = 1;
    } else if (pattern.kind == Kind::kTimed) {
      repetitions = counted_repetitions(patterns, calls, pattern.kind, pattern.chunk).value_or(0);
    }
    of_counted.push_back(pattern);
    counted.push_back({pattern.number, pattern.chunk, repetitions});
  }

  const auto need = [&](double scale) { return need_at(of_counted, counted, limits, scale); };
  const Bytes max_segment = limits.max_segment.value_or(std::numeric_limits<Bytes>::max());
  CountedTypes result;
  const double for_segment =
      largest_scale([&](double s) { return need(s).segment <= max_segment; });
  const double for_bytes =
      largest_scale([&](double s) { return need(s).all <= limits.per_process; });
  result.scale = std::min(for_segment, for_bytes);
  if (result.scale < 1) {
    result.cut = for_segment <= for_bytes ? SegmentCut::kMaxSegment : limits.per_process_reason;
  }
  result.segment = need(result.scale).segment;

  const auto sums = bytes_by_type(of_counted, counted, result.scale);
  for (std::size_t i = 0; i < counted.size(); ++i) {
    auto entry = counted[i];
    entry.calls = scaled(of_counted[i], entry.calls, result.scale);
    if (of_counted[i].kind == Kind::kFillUp) {
      entry.chunk = result.segment - sums.at(index_of(of_counted[i].type));
      entry.calls = entry.chunk > 0 ? 1 : 0;
    }
    result.patterns.push_back(entry);
  }
  return result;
}

}  // namespace beff::b_eff_io
