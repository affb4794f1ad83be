#include <algorithm>
#include <vector>

#include "engines/b_eff/transfer.hpp"

namespace beff::b_eff {
namespace {

/// A persistent request is bound to its memory, so the requests of several blocks are made before
/// the loop, which goes through them in turn.
class PersistentTransfer final : public Transfer {
 public:
  using Transfer::Transfer;
  PersistentTransfer(const PersistentTransfer&) = delete;
  PersistentTransfer(PersistentTransfer&&) = delete;
  PersistentTransfer& operator=(const PersistentTransfer&) = delete;
  PersistentTransfer& operator=(PersistentTransfer&&) = delete;
  ~PersistentTransfer() override { free_requests(); }

  void run(std::int64_t first, std::int64_t iterations) override {
    if (requests_.empty()) {
      return;  // an idle process: Open MPI refuses to start no requests
    }
    const int per_block = per_block_;
    MPI_Request* const begin = requests_.data();
    MPI_Request* const behind = begin + requests_.size();
    const auto blocks = static_cast<std::int64_t>(requests_.size()) / per_block;
    MPI_Request* block = begin + (first % blocks) * per_block;
    for (std::int64_t i = 0; i < iterations; ++i) {
      MPI_Startall(per_block, block);
      MPI_Waitall(per_block, block, MPI_STATUSES_IGNORE);
      block += per_block;
      block = block == behind ? begin : block;
    }
  }

 private:
  static constexpr Bytes kBlocks = 16;

  void arrange(BlockLayout& send, BlockLayout& receive) override {
    free_requests();
    for (auto* layout : {&send, &receive}) {
      layout->start = 0;
      layout->span = std::min(layout->span / layout->block, kBlocks) * layout->block;
    }
    const auto steps = messages().steps;
    const MPI_Comm communicator = messages().communicator;
    const auto blocks = send.span / send.block;
    for (Bytes b = 0; b < blocks; ++b) {
      char* const out = messages().buffers->send() + b * send.block;
      char* const in = messages().buffers->receive() + b * receive.block;
      for (std::size_t s = 0; s < steps.size(); ++s) {
        const auto tag = static_cast<int>(s);
        if (steps[s].receive_from != kNoPeer) {
          MPI_Recv_init(in + tag * receive.stride, size(), MPI_BYTE, steps[s].receive_from, tag,
                        communicator, &requests_.emplace_back());
        }
        if (steps[s].send_to != kNoPeer) {
          MPI_Send_init(out + tag * send.stride, size(), MPI_BYTE, steps[s].send_to, tag,
                        communicator, &requests_.emplace_back());
        }
      }
    }
    per_block_ = static_cast<int>(static_cast<Bytes>(requests_.size()) / blocks);
  }

  void free_requests() {
    for (auto& request : requests_) {
      MPI_Request_free(&request);
    }
    requests_.clear();
  }

  std::vector<MPI_Request> requests_;
  int per_block_ = 0;
};

}  // namespace

std::unique_ptr<Transfer> make_persistent(const Messages& messages) {
  return std::make_unique<PersistentTransfer>(messages);
}

}  // namespace beff::b_eff
