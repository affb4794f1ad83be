#include "engines/b_eff/message_buffers.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "core/random_permutation.hpp"

namespace beff::b_eff {
namespace {

constexpr Bytes kPieceAlignment = 8;
constexpr Bytes kStartAlignment = 64;

/// Eight bytes of content; word w of a rank's send buffer.
constexpr std::uint64_t content_word(int rank, std::uint64_t word) {
  return splitmix(static_cast<std::uint64_t>(rank), word);
}

}  // namespace

Bytes BlockLayout::block_at(std::int64_t iteration) const {
  const std::int64_t from_start = (span - start) / block;
  if (iteration < from_start) {
    return start + iteration * block;
  }
  return (iteration - from_start) % (span / block) * block;
}

std::int64_t BlockLayout::intact_blocks() const {
  const std::int64_t blocks = span / block;
  return start == 0 ? blocks : std::max<std::int64_t>(1, blocks - 1);
}

MessageBuffers::Memory MessageBuffers::allocate(Bytes bytes) {
  // malloc, because SMPI folds memory of this kind only.
  Memory memory(static_cast<char*>(std::malloc(static_cast<std::size_t>(bytes))));
  if (!memory) {
    throw std::bad_alloc();
  }
  return memory;
}

MessageBuffers::MessageBuffers(Bytes lmax, int rank, bool fill)
    : bytes_(bytes_for(lmax)), send_(allocate(bytes_)), receive_(allocate(bytes_)) {
  if (!fill) {
    return;
  }
  for (Bytes offset = 0; offset < bytes_; offset += kPieceAlignment) {
    const auto word = content_word(rank, static_cast<std::uint64_t>(offset / kPieceAlignment));
    std::memcpy(send_.get() + offset, &word,
                static_cast<std::size_t>(std::min(kPieceAlignment, bytes_ - offset)));
  }
  std::memset(receive_.get(), 0, static_cast<std::size_t>(bytes_));
}

char MessageBuffers::content(int rank, Bytes offset) {
  const auto word = content_word(rank, static_cast<std::uint64_t>(offset / kPieceAlignment));
  char byte = 0;
  std::memcpy(&byte, reinterpret_cast<const char*>(&word) + offset % kPieceAlignment, 1);
  return byte;
}

BlockLayout MessageBuffers::layout(Bytes size, int steps, std::uint64_t place) const {
  const Bytes stride = (size + kPieceAlignment - 1) / kPieceAlignment * kPieceAlignment;
  const Bytes block = stride * steps;
  const auto starts = static_cast<std::uint64_t>((bytes_ - block) / kStartAlignment + 1);
  return {.stride = stride,
          .block = block,
          .span = bytes_,
          .start = static_cast<Bytes>(splitmix(place) % starts) * kStartAlignment};
}

BlockLayout MessageBuffers::send_layout(Bytes size, int steps, std::uint64_t loop) const {
  return layout(size, steps, 2 * loop);
}

BlockLayout MessageBuffers::receive_layout(Bytes size, int steps, std::uint64_t loop) const {
  return layout(size, steps, 2 * loop + 1);
}

}  // namespace beff::b_eff
