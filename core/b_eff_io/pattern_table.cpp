#include "core/b_eff_io/pattern_table.hpp"

#include <algorithm>

namespace beff::b_eff_io {
namespace {

Bytes chunk_bytes(const PatternRow& entry, Bytes m_part) {
  constexpr Bytes k32kB = 32 * kKiB;
  switch (entry.chunk) {
    case Chunk::k1kB:
      return kKiB + entry.extra;
    case Chunk::k32kB:
      return k32kB + entry.extra;
    case Chunk::k1MB:
      return kMiB + entry.extra;
    case Chunk::kMPart:
      return m_part + entry.extra;
    case Chunk::kRest:
      break;
  }
  return 0;
}

}  // namespace

Bytes m_part(Bytes process_memory, Bytes bound) {
  constexpr Bytes kShare = 128;
  return std::max(kSmallestMPart, std::min(process_memory / kShare, bound) / kMiB * kMiB);
}

std::vector<Pattern> make_patterns(const std::vector<Type>& types, Bytes m_part) {
  std::vector<Pattern> patterns;
  for (const auto& entry : kPatternRows) {
    if (std::ranges::find(types, entry.type) == types.end()) {
      continue;
    }
    const Bytes chunk = chunk_bytes(entry, m_part);
    patterns.push_back({.number = entry.number,
                        .type = entry.type,
                        .kind = entry.kind,
                        .chunk = chunk,
                        .memory = entry.memory > 0 ? entry.memory : chunk,
                        .time_units = entry.time_units,
                        .wellformed = entry.extra == 0,
                        .position = entry.position});
  }
  return patterns;
}

}  // namespace beff::b_eff_io
