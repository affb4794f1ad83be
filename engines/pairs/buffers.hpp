#pragma once

#include "core/units/quantity_text.hpp"
#include "engines/common/memory/memory.hpp"

namespace beff::pairs {

/// A send and a receive buffer with room for some large messages, which are taken in turn so that
/// the next one does not lie in a cache. Not touched where `fill` is false: a simulator may then
/// keep those of all processes in the same memory.
class Buffers {
 public:
  /// `memory` must outlive the object. Throws std::bad_alloc.
  Buffers(BufferMemory& memory, Bytes largest, bool fill)
      : largest_(largest), buffers_(memory, whole_pages(bytes())) {
    if (fill) {
      memory.fill(send(), kByte, whole_pages(bytes()));
      memory.fill(receive(), kByte, whole_pages(bytes()));
    }
  }

  /// At least so many bytes in either.
  static Buffers of_bytes(BufferMemory& memory, Bytes bytes, bool fill) {
    return {memory, (bytes + kPieces - 1) / kPieces, fill};
  }

  [[nodiscard]] Bytes bytes() const { return kPieces * largest_; }
  [[nodiscard]] char* send() const { return buffers_.get<0>(); }
  [[nodiscard]] char* receive() const { return buffers_.get<1>(); }
  [[nodiscard]] BufferMemory& memory() const { return buffers_.memory(); }
  /// Where message number `number` of a series begins in either.
  [[nodiscard]] Bytes piece(int number) const { return number % kPieces * largest_; }

 private:
  static constexpr Bytes kPieces = 6;
  static constexpr unsigned char kByte = 0x5a;

  Bytes largest_;
  OwnedBuffers<2> buffers_;
};

}  // namespace beff::pairs
