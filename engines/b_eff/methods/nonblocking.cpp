#include <array>

#include "engines/b_eff/transfer.hpp"

namespace beff::b_eff {
namespace {

/// Receive and send of each step in turn, as release 3.6 posts them.
class NonblockingTransfer final : public Transfer {
 public:
  using Transfer::Transfer;

  void run(std::int64_t first, std::int64_t iterations) override {
    const auto steps = messages().steps;
    const MPI_Comm communicator = messages().communicator;
    const int bytes = size();
    std::array<MPI_Request, std::size_t{2} * Exchange::kMaxSteps> requests{};
    auto out = send_cursor(first);
    auto in = receive_cursor(first);
    for (std::int64_t i = 0; i < iterations; ++i) {
      const char* send = out.next();
      char* receive = in.next();
      MPI_Request* request = requests.data();
      for (std::size_t s = 0; s < steps.size(); ++s) {
        const auto [to, from] = steps[s];
        const int tag = static_cast<int>(s);
        if (from != kNoPeer) {
          MPI_Irecv(receive + piece(s), bytes, MPI_BYTE, from, tag, communicator, request++);
        }
        if (to != kNoPeer) {
          MPI_Isend(send + piece(s), bytes, MPI_BYTE, to, tag, communicator, request++);
        }
      }
      MPI_Waitall(static_cast<int>(request - requests.data()), requests.data(),
                  MPI_STATUSES_IGNORE);
    }
  }
};

}  // namespace

std::unique_ptr<Transfer> make_nonblocking(const Messages& messages) {
  return std::make_unique<NonblockingTransfer>(messages);
}

}  // namespace beff::b_eff
