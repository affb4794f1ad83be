#pragma once

#include <cstdint>
#include <string>

#include "core/b_eff_io/pattern_table.hpp"
#include "core/random_permutation.hpp"
#include "core/units/quantity_text.hpp"

namespace beff::b_eff_io {

/// Where a pattern lies in the file or files of its type. Together with a rank it gives the place
/// of every byte; the engine's file views, its data check and the tests' POSIX reader all use it.
///
///   type 0, 1  one file: chunk i of rank r stands at base + (i·n + r)·l
///   type 2     file r:   chunk i stands at base + i·l
///   type 3, 4  one file: chunk i of rank r stands at r·segment + base + i·l
///   type 5     one file: as type 0 with the n·slots chunks in a random order
///   type 6     file r:   as type 2 with the slots chunks in a random order of each process's own
///
/// A call moves chunks_per_call chunks, which lie one after the other in memory.
struct Placement {
  Type type;
  int processes;                 ///< n
  Bytes chunk;                   ///< l
  std::int64_t chunks_per_call;  ///< L / l
  Bytes base;     ///< first byte in the file (types 0, 1, 5), own file (2, 6) or segment (3, 4)
  Bytes segment;  ///< L_SEG for types 3 and 4, else 0
  std::int64_t slots;  ///< types 5 and 6: chunks per process that the random order is drawn over
  std::uint64_t seed;  ///< types 5 and 6

  /// L: what one process moves in one call.
  [[nodiscard]] Bytes bytes_per_call() const { return chunk * chunks_per_call; }
  /// What all processes move in one call each.
  [[nodiscard]] Bytes bytes_per_round() const { return processes * bytes_per_call(); }
  /// How far `calls` calls move the base of the pattern that follows.
  [[nodiscard]] Bytes advance(std::int64_t calls) const;
};

/// L_SEG for what one process writes: the next multiple of the segment unit.
[[nodiscard]] constexpr Bytes segment_size(Bytes written, Bytes unit) {
  return (written + unit - 1) / unit * unit;
}

/// A run of bytes that lies together on disk and in memory.
struct Extent {
  int file;      ///< rank of the owner for a type with a file per process, else 0
  Bytes offset;  ///< in that file
  Bytes length;
  Bytes stream;  ///< position in what this process has moved with this type, from 0
};

/// Chunks of one process in one pattern, in the order in which it moves them.
class ChunkMap {
 public:
  ChunkMap(const Placement& placement, int rank);

  /// Place of chunk `index` = call · chunks_per_call + place in the call.
  [[nodiscard]] Extent operator[](std::int64_t index) const;

 private:
  Placement placement_;
  int rank_;
  Bytes stream_base_;
  RandomPermutation order_;
};

/// What a process sees of its file: blocks of `block` byte, one every `stride` byte, the first at
/// `displacement`. Contiguous where block == stride. The file view of types 0 and 1; for types 2–4
/// the place from which the process reads or writes on. Random types have no view.
struct View {
  Bytes displacement;
  Bytes block;
  Bytes stride;

  [[nodiscard]] bool contiguous() const { return block == stride; }
};

[[nodiscard]] View view_of(const Placement& placement, int rank);

/// Name of a file of partition number `partition` (from 0), without folder: `p0-scatter`,
/// `p2-separate-r17`. Unique within a run.
[[nodiscard]] std::string file_name(int partition, Type type, int rank);

}  // namespace beff::b_eff_io
