#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/units/quantity_text.hpp"

namespace beff::b_eff_io {

/// Whose bytes they are: what a process writes in one pattern, and whether anew by the rewrite.
struct Author {
  std::uint64_t run;  ///< different in each run, so that files of an earlier run are noticed
  int partition;
  int pattern;
  int rank;
  bool rewrite;
};

/// Incompressible bytes that show who wrote them, in which call and where in the call. Byte b of
/// call k is byte first_byte(k) + b of the author's endless random stream: each call begins a step
/// later, so that one filled buffer serves all calls and still no two of `kWindows` calls in
/// succession hold the same bytes at the same place.
class Content {
 public:
  static constexpr std::int64_t kWindows = 1021;
  static constexpr Bytes kStep = 64;
  /// Additional room in a buffer that holds the windows of all calls.
  static constexpr Bytes kSlack = kWindows * kStep;

  explicit Content(const Author& author);

  [[nodiscard]] static constexpr Bytes first_byte(std::int64_t call) {
    return call % kWindows * kStep;
  }
  /// Writes stream bytes 0 … length-1; length is a multiple of 8.
  void fill(std::byte* memory, Bytes length) const;

  struct Mismatch {
    Bytes at;  ///< first wrong byte, counted from the begin of the compared memory
    std::byte expected;
    std::byte found;
  };
  /// Compares memory with the stream from `begin` on; begin is a multiple of 8.
  [[nodiscard]] std::optional<Mismatch> compare(const std::byte* memory, Bytes length,
                                                Bytes begin) const;

 private:
  [[nodiscard]] std::uint64_t word(Bytes index) const;

  std::uint64_t key_;
};

}  // namespace beff::b_eff_io
