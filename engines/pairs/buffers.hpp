#pragma once

#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

#include "core/units/quantity_text.hpp"

namespace beff::pairs {

/// A send and a receive buffer with room for some large messages, which are taken in turn so that
/// the next one does not lie in a cache. Not touched where `fill` is false: a simulator may then
/// keep those of all processes in the same memory.
class Buffers {
 public:
  /// Throws std::bad_alloc.
  Buffers(Bytes largest, bool fill)
      : largest_(largest), send_(allocate(bytes(), fill)), receive_(allocate(bytes(), fill)) {}

  /// At least so many bytes in either.
  static Buffers of_bytes(Bytes bytes, bool fill) {
    return {(bytes + kPieces - 1) / kPieces, fill};
  }

  [[nodiscard]] Bytes bytes() const { return kPieces * largest_; }
  [[nodiscard]] char* send() const { return send_.get(); }
  [[nodiscard]] char* receive() const { return receive_.get(); }
  /// Where message number `number` of a series begins in either.
  [[nodiscard]] Bytes piece(int number) const { return number % kPieces * largest_; }

 private:
  static constexpr Bytes kPieces = 6;
  static constexpr int kByte = 0x5a;

  struct Free {
    void operator()(char* memory) const { std::free(memory); }
  };
  using Memory = std::unique_ptr<char, Free>;

  static Memory allocate(Bytes bytes, bool fill) {
    constexpr std::size_t kPage = 4096;
    const auto size = (static_cast<std::size_t>(bytes) + kPage - 1) / kPage * kPage;
    Memory memory(static_cast<char*>(std::malloc(size)));
    if (!memory) {
      throw std::bad_alloc();
    }
    if (fill) {
      std::memset(memory.get(), kByte, size);
    }
    return memory;
  }

  Bytes largest_;
  Memory send_;
  Memory receive_;
};

}  // namespace beff::pairs
