#include <vector>

#include "engines/b_eff/transfer.hpp"

namespace beff::b_eff {
namespace {

class AlltoallvTransfer final : public Transfer {
 public:
  explicit AlltoallvTransfer(const Messages& messages) : Transfer(messages) {
    int members = 0;
    MPI_Comm_size(messages.communicator, &members);
    for (auto* array : {&send_counts_, &send_offsets_, &receive_counts_, &receive_offsets_}) {
      array->assign(static_cast<std::size_t>(members), 0);
    }
  }

  void run(std::int64_t first, std::int64_t iterations) override {
    const MPI_Comm communicator = messages().communicator;
    auto out = send_cursor(first);
    auto in = receive_cursor(first);
    for (std::int64_t i = 0; i < iterations; ++i) {
      MPI_Alltoallv(out.next(), send_counts_.data(), send_offsets_.data(), MPI_BYTE, in.next(),
                    receive_counts_.data(), receive_offsets_.data(), MPI_BYTE, communicator);
    }
  }

 private:
  void arrange(BlockLayout& send, BlockLayout& receive) override {
    const auto steps = messages().steps;
    for (std::size_t s = 0; s < steps.size(); ++s) {
      set(send_counts_, send_offsets_, steps[s].send_to, static_cast<Bytes>(s) * send.stride);
      set(receive_counts_, receive_offsets_, steps[s].receive_from,
          static_cast<Bytes>(s) * receive.stride);
    }
  }

  void set(std::vector<int>& counts, std::vector<int>& offsets, int peer, Bytes offset) const {
    if (peer != kNoPeer) {
      counts.at(static_cast<std::size_t>(peer)) = size();
      offsets.at(static_cast<std::size_t>(peer)) = static_cast<int>(offset);
    }
  }

  std::vector<int> send_counts_;
  std::vector<int> send_offsets_;
  std::vector<int> receive_counts_;
  std::vector<int> receive_offsets_;
};

}  // namespace

std::unique_ptr<Transfer> make_alltoallv(const Messages& messages) {
  return std::make_unique<AlltoallvTransfer>(messages);
}

}  // namespace beff::b_eff
