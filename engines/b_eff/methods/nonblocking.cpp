#include <array>
#include <vector>

#include "engines/b_eff/transfer.hpp"

namespace beff::b_eff {
namespace {

/// One message of an iteration: its peer and its place in the block.
struct Piece {
  int peer;
  Bytes offset;
  int tag;
};

class NonblockingTransfer final : public Transfer {
 public:
  using Transfer::Transfer;

  void run(std::int64_t iterations) override {
    const MPI_Comm communicator = messages().communicator;
    const int bytes = size();
    const auto request_count = static_cast<int>(receives_.size() + sends_.size());
    std::array<MPI_Request, std::size_t{2} * Exchange::kMaxSteps> requests{};
    auto out = send_cursor();
    auto in = receive_cursor();
    for (std::int64_t i = 0; i < iterations; ++i) {
      const char* send = out.next();
      char* receive = in.next();
      MPI_Request* request = requests.data();
      for (const auto& piece : receives_) {
        MPI_Irecv(receive + piece.offset, bytes, MPI_BYTE, piece.peer, piece.tag, communicator,
                  request++);
      }
      for (const auto& piece : sends_) {
        MPI_Isend(send + piece.offset, bytes, MPI_BYTE, piece.peer, piece.tag, communicator,
                  request++);
      }
      MPI_Waitall(request_count, requests.data(), MPI_STATUSES_IGNORE);
    }
  }

 private:
  void arrange(BlockLayout& send, BlockLayout& receive) override {
    receives_.clear();
    sends_.clear();
    const auto steps = messages().steps;
    for (std::size_t s = 0; s < steps.size(); ++s) {
      const int tag = static_cast<int>(s);
      if (steps[s].receive_from != kNoPeer) {
        receives_.push_back({steps[s].receive_from, tag * receive.stride, tag});
      }
      if (steps[s].send_to != kNoPeer) {
        sends_.push_back({steps[s].send_to, tag * send.stride, tag});
      }
    }
  }

  std::vector<Piece> receives_;
  std::vector<Piece> sends_;
};

}  // namespace

std::unique_ptr<Transfer> make_nonblocking(const Messages& messages) {
  return std::make_unique<NonblockingTransfer>(messages);
}

}  // namespace beff::b_eff
