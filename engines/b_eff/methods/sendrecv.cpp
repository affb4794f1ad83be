#include "engines/b_eff/transfer.hpp"

namespace beff::b_eff {
namespace {

class SendrecvTransfer final : public Transfer {
 public:
  using Transfer::Transfer;

  void run(std::int64_t first, std::int64_t iterations) override {
    const auto steps = messages().steps;
    const MPI_Comm communicator = messages().communicator;
    const int bytes = size();
    auto out = send_cursor(first);
    auto in = receive_cursor(first);
    for (std::int64_t i = 0; i < iterations; ++i) {
      const char* send = out.next();
      char* receive = in.next();
      for (std::size_t s = 0; s < steps.size(); ++s) {
        const auto [to, from] = steps[s];
        if (from == kNoPeer) {
          MPI_Send(send + piece(s), bytes, MPI_BYTE, to, 0, communicator);
        } else if (to == kNoPeer) {
          MPI_Recv(receive + piece(s), bytes, MPI_BYTE, from, 0, communicator, MPI_STATUS_IGNORE);
        } else {
          MPI_Sendrecv(send + piece(s), bytes, MPI_BYTE, to, 0, receive + piece(s), bytes, MPI_BYTE,
                       from, 0, communicator, MPI_STATUS_IGNORE);
        }
      }
    }
  }
};

}  // namespace

std::unique_ptr<Transfer> make_sendrecv(const Messages& messages) {
  return std::make_unique<SendrecvTransfer>(messages);
}

}  // namespace beff::b_eff
