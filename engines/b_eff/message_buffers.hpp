#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "core/units/quantity_text.hpp"

namespace beff::b_eff {

/// Where the messages of one loop lie in a buffer. An iteration uses one block, its steps the
/// pieces of the block; blocks follow each other from `start`, then again and again from the
/// buffer's begin. All processes that exchange messages have the same layout, so each knows the
/// others' offsets.
struct BlockLayout {
  Bytes stride;  ///< from one piece to the next: the message size rounded up to a multiple of 8
  Bytes block;   ///< stride · steps of an iteration
  Bytes span;    ///< bytes of the buffer in use
  Bytes start;   ///< offset of the first iteration's block

  /// Offset of the block of iteration 0, 1, 2 …
  [[nodiscard]] Bytes block_at(std::int64_t iteration) const;
  /// How many of the last blocks of a loop have not been overwritten by later ones.
  [[nodiscard]] std::int64_t intact_blocks() const;
};

/// Hands out the blocks of one buffer, one per iteration, inside the timed window.
class BlockCursor {
 public:
  /// Begins with the block of iteration `first`.
  BlockCursor(char* buffer, const BlockLayout& layout, std::int64_t first)
      : begin_(buffer),
        next_(buffer + layout.block_at(first)),
        last_(buffer + (layout.span - layout.block)),
        block_(layout.block) {}

  char* next() {
    char* const block = next_;
    next_ = next_ + block_ <= last_ ? next_ + block_ : begin_;
    return block;
  }

 private:
  char* begin_;
  char* next_;
  char* last_;
  std::ptrdiff_t block_;
};

/// The send and the receive buffer of a process, each much larger than the largest message, so that
/// the next message is not served from a cache (definition: 6·(L_max + 16) byte).
class MessageBuffers {
 public:
  /// Bytes of one buffer.
  static constexpr Bytes bytes_for(Bytes lmax) { return kPieces * (lmax + kSlack); }

  /// Fills the send buffer with content that depends on `rank` and position. Without `fill` no byte
  /// is touched: a simulator may then keep the buffers of all processes in the same memory. Throws
  /// std::bad_alloc.
  MessageBuffers(Bytes lmax, int rank, bool fill);

  [[nodiscard]] char* send() const { return send_.get(); }
  [[nodiscard]] char* receive() const { return receive_.get(); }
  [[nodiscard]] Bytes bytes() const { return bytes_; }

  /// Layouts of loop number `loop` in the send and in the receive buffer. They start at different
  /// places from loop to loop and from each other, so that stale data is not taken for fresh.
  [[nodiscard]] BlockLayout send_layout(Bytes size, int steps, std::uint64_t loop) const;
  [[nodiscard]] BlockLayout receive_layout(Bytes size, int steps, std::uint64_t loop) const;

  /// The byte at `offset` of the send buffer of `rank`.
  static char content(int rank, Bytes offset);

 private:
  static constexpr Bytes kPieces = 6;
  static constexpr Bytes kSlack = 16;

  struct Free {
    void operator()(char* memory) const { std::free(memory); }
  };
  using Memory = std::unique_ptr<char, Free>;

  static Memory allocate(Bytes bytes);
  [[nodiscard]] BlockLayout layout(Bytes size, int steps, std::uint64_t place) const;

  Bytes bytes_;
  Memory send_;
  Memory receive_;
};

}  // namespace beff::b_eff
