#include "engines/b_eff/transfer.hpp"

#include <algorithm>
#include <array>

#include "engines/common/mpi/simulation.hpp"

namespace beff::b_eff {

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
