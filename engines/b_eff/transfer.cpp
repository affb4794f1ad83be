#include "engines/b_eff/transfer.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "core/random_permutation.hpp"
#include "engines/common/mpi/launch.hpp"

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

MessageBuffers::MessageBuffers(BufferMemory& memory, Bytes lmax, int rank, bool fill)
    : bytes_(bytes_for(lmax)), buffers_(memory, bytes_) {
  if (!fill) {
    return;
  }
  constexpr Bytes kWords = 8192;
  std::vector<std::uint64_t> words(kWords);
  for (Bytes offset = 0; offset < bytes_; offset += kWords * kPieceAlignment) {
    for (Bytes word = 0; word < kWords; ++word) {
      words[static_cast<std::size_t>(word)] =
          content_word(rank, static_cast<std::uint64_t>(offset / kPieceAlignment + word));
    }
    memory.write(send() + offset, words.data(),
                 std::min(kWords * kPieceAlignment, bytes_ - offset));
  }
  memory.fill(receive(), 0, bytes_);
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

using Factory = std::unique_ptr<Transfer>(const Messages&);
// Each in its file in methods/.
Factory make_sendrecv;            // MPI_Sendrecv; where one way is used MPI_Send or MPI_Recv
Factory make_alltoallv;           // all messages in one MPI_Alltoallv, with its O(n) memory
Factory make_nonblocking;         // MPI_Irecv, MPI_Isend, MPI_Waitall
Factory make_neighbor_alltoallv;  // on a distributed graph of the pattern
Factory make_persistent;          // MPI_Startall, MPI_Waitall
Factory make_put_fence;           // MPI_Put between two MPI_Win_fence

namespace {

struct TransferRow {
  Method method;
  Factory* make;
};

constexpr std::array kTransfers{
    TransferRow{Method::kSendrecv, make_sendrecv},
    TransferRow{Method::kAlltoallv, make_alltoallv},
    TransferRow{Method::kNonblocking, make_nonblocking},
    TransferRow{Method::kNeighborAlltoallv, make_neighbor_alltoallv},
    TransferRow{Method::kPersistent, make_persistent},
    TransferRow{Method::kPutFence, make_put_fence},
};
static_assert(std::ranges::equal(kTransfers, kMethods, {}, &TransferRow::method,
                                 &MethodRow::method));

}  // namespace

void Transfer::prepare(Bytes size, std::uint64_t loop) {
  size_ = static_cast<int>(size);
  const int steps = std::max(1, static_cast<int>(messages_.steps.size()));
  send_layout_ = messages_.buffers->send_layout(size, steps, loop);
  receive_layout_ = messages_.buffers->receive_layout(size, steps, loop);
  arrange(send_layout_, receive_layout_);
}

std::unique_ptr<Transfer> make_transfer(Method method, const Messages& messages) {
  return kTransfers.at(static_cast<std::size_t>(method)).make(messages);
}

std::optional<std::string> why_unavailable(Method method) {
  if (kSimulated && method == Method::kNeighborAlltoallv) {
    return "SimGrid's SMPI has no neighbourhood collectives; name the other methods";
  }
  return std::nullopt;
}

}  // namespace beff::b_eff
