#include "core/b_eff_io/layout.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace beff::b_eff_io {
namespace {

// Enough that neighbours in the order lie nowhere near each other, at some 100 ns per chunk.
constexpr int kOrderRounds = 24;

bool interleaved(Type type) {
  return type == Type::kScatter || type == Type::kShared || type == Type::kRandomShared;
}

RandomPermutation chunk_order(const Placement& placement, int rank) {
  switch (placement.type) {
    case Type::kRandomShared:
      return {placement.seed, std::max<std::int64_t>(1, placement.processes * placement.slots),
              kOrderRounds};
    case Type::kRandomSeparate:
      return {pattern_seed(placement.seed, rank), std::max<std::int64_t>(1, placement.slots),
              kOrderRounds};
    default:
      return {0, 1, 0};
  }
}

}  // namespace

Bytes Placement::advance(std::int64_t calls) const {
  return calls * (interleaved(type) ? bytes_per_round() : bytes_per_call());
}

ChunkMap::ChunkMap(const Placement& placement, int rank)
    : placement_(placement),
      rank_(rank),
      stream_base_(interleaved(placement.type) ? placement.base / placement.processes
                                               : placement.base),
      order_(chunk_order(placement, rank)) {}

Extent ChunkMap::operator[](std::int64_t index) const {
  const auto& p = placement_;
  Extent extent{.file = row(p.type).file_per_process ? rank_ : 0,
                .offset = p.base,
                .length = p.chunk,
                .stream = stream_base_ + index * p.chunk};
  switch (p.type) {
    case Type::kScatter:
    case Type::kShared:
      extent.offset += (index * p.processes + rank_) * p.chunk;
      break;
    case Type::kSeparate:
      extent.offset += index * p.chunk;
      break;
    case Type::kSegmented:
    case Type::kSegColl:
      extent.offset += rank_ * p.segment + index * p.chunk;
      break;
    case Type::kRandomShared:
      extent.offset += order_.at(index * p.processes + rank_) * p.chunk;
      break;
    case Type::kRandomSeparate:
      extent.offset += order_.at(index) * p.chunk;
      break;
  }
  return extent;
}

View view_of(const Placement& placement, int rank) {
  const auto& p = placement;
  switch (p.type) {
    case Type::kScatter:
    case Type::kShared:
      return {p.base + rank * p.chunk, p.chunk, p.processes * p.chunk};
    case Type::kSegmented:
    case Type::kSegColl:
      return {p.base + rank * p.segment, p.chunk, p.chunk};
    default:
      return {p.base, p.chunk, p.chunk};
  }
}

std::string file_name(int partition, Type type, int rank) {
  return row(type).file_per_process ? fmt::format("p{}-{}-r{}", partition, row(type).name, rank)
                                    : fmt::format("p{}-{}", partition, row(type).name);
}

}  // namespace beff::b_eff_io
