#include "core/b_eff_io/layout.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace beff::b_eff_io {
namespace {

// Enough that neighbours in the order lie nowhere near each other, at some 100 ns per chunk.
constexpr int kOrderRounds = 24;

bool in_turn(const Placement& placement) { return row(placement.type).layout == Layout::kInTurn; }

/// Chunk i of `rank` lies in slot first + i · step behind `base`, in units of a chunk.
struct Slots {
  Bytes base;
  std::int64_t first;
  std::int64_t step;
};

Slots slots_of(const Placement& placement, int rank) {
  return {
      .base = placement.base + (row(placement.type).in_segments() ? rank * placement.segment : 0),
      .first = in_turn(placement) ? rank : 0,
      .step = in_turn(placement) ? placement.processes : 1};
}

RandomPermutation chunk_order(const Placement& placement, int rank) {
  if (!row(placement.type).random) {
    return {0, 1, 0};
  }
  const auto seed = in_turn(placement) ? placement.seed : pattern_seed(placement.seed, rank);
  const auto slots = placement.slots * (in_turn(placement) ? placement.processes : 1);
  return {seed, std::max<std::int64_t>(1, slots), kOrderRounds};
}

}  // namespace

Bytes Placement::advance(std::int64_t calls) const {
  return calls * (in_turn(*this) ? bytes_per_round() : bytes_per_call());
}

ChunkMap::ChunkMap(const Placement& placement, int rank)
    : placement_(placement),
      rank_(rank),
      stream_base_(in_turn(placement) ? placement.base / placement.processes : placement.base),
      order_(chunk_order(placement, rank)) {}

Extent ChunkMap::operator[](std::int64_t index) const {
  const auto slots = slots_of(placement_, rank_);
  const auto slot = slots.first + index * slots.step;
  const bool random = row(placement_.type).random;
  return {.file = row(placement_.type).file_per_process() ? rank_ : 0,
          .offset = slots.base + (random ? order_.at(slot) : slot) * placement_.chunk,
          .length = placement_.chunk,
          .stream = stream_base_ + index * placement_.chunk};
}

View view_of(const Placement& placement, int rank) {
  const auto slots = slots_of(placement, rank);
  return {slots.base + slots.first * placement.chunk, placement.chunk,
          slots.step * placement.chunk};
}

std::string file_name(int partition, Type type, int rank) {
  return row(type).file_per_process() ? fmt::format("p{}-{}-r{}", partition, row(type).name, rank)
                                      : fmt::format("p{}-{}", partition, row(type).name);
}

}  // namespace beff::b_eff_io
