#include <algorithm>
#include <vector>

#include "engines/b_eff/transfer.hpp"

namespace beff::b_eff {
namespace {

class AlltoallvTransfer final : public Transfer {
 public:
  explicit AlltoallvTransfer(const Messages& messages) : Transfer(messages) {
    int members = 0;
    MPI_Comm_size(messages.communicator, &members);
    auto& [send_counts, send_offsets, receive_counts, receive_offsets] = *messages.arrays;
    for (auto* array : {&send_counts, &send_offsets, &receive_counts, &receive_offsets}) {
      array->resize(std::max(array->size(), static_cast<std::size_t>(members)));
    }
    send_counts_ = send_counts.data();
    send_offsets_ = send_offsets.data();
    receive_counts_ = receive_counts.data();
    receive_offsets_ = receive_offsets.data();
  }
  AlltoallvTransfer(const AlltoallvTransfer&) = delete;
  AlltoallvTransfer(AlltoallvTransfer&&) = delete;
  AlltoallvTransfer& operator=(const AlltoallvTransfer&) = delete;
  AlltoallvTransfer& operator=(AlltoallvTransfer&&) = delete;
  ~AlltoallvTransfer() override {
    for (const auto& step : messages().steps) {
      set(send_counts_, send_offsets_, step.send_to, 0, 0);
      set(receive_counts_, receive_offsets_, step.receive_from, 0, 0);
    }
  }

  void run(std::int64_t first, std::int64_t iterations) override {
    const MPI_Comm communicator = messages().communicator;
    auto out = send_cursor(first);
    auto in = receive_cursor(first);
    for (std::int64_t i = 0; i < iterations; ++i) {
      MPI_Alltoallv(out.next(), send_counts_, send_offsets_, MPI_BYTE, in.next(), receive_counts_,
                    receive_offsets_, MPI_BYTE, communicator);
    }
  }

 private:
  void arrange(BlockLayout& send, BlockLayout& receive) override {
    const auto steps = messages().steps;
    for (std::size_t s = 0; s < steps.size(); ++s) {
      const auto piece = static_cast<Bytes>(s);
      set(send_counts_, send_offsets_, steps[s].send_to, size(), piece * send.stride);
      set(receive_counts_, receive_offsets_, steps[s].receive_from, size(), piece * receive.stride);
    }
  }

  static void set(int* counts, int* offsets, int peer, int count, Bytes offset) {
    if (peer != kNoPeer) {
      counts[peer] = count;
      offsets[peer] = static_cast<int>(offset);
    }
  }

  int* send_counts_;
  int* send_offsets_;
  int* receive_counts_;
  int* receive_offsets_;
};

}  // namespace

std::unique_ptr<Transfer> make_alltoallv(const Messages& messages) {
  return std::make_unique<AlltoallvTransfer>(messages);
}

}  // namespace beff::b_eff
