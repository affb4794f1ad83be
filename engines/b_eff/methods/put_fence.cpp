#include "engines/b_eff/transfer.hpp"

namespace beff::b_eff {
namespace {

/// Every process exposes its receive buffer. A sender knows where its message belongs, because the
/// receiver's layout is the same as its own.
class PutFenceTransfer final : public Transfer {
 public:
  explicit PutFenceTransfer(const Messages& messages) : Transfer(messages) {
    MPI_Win_create(messages.buffers->receive(), static_cast<MPI_Aint>(messages.buffers->bytes()), 1,
                   MPI_INFO_NULL, messages.communicator, &window_);
  }
  PutFenceTransfer(const PutFenceTransfer&) = delete;
  PutFenceTransfer(PutFenceTransfer&&) = delete;
  PutFenceTransfer& operator=(const PutFenceTransfer&) = delete;
  PutFenceTransfer& operator=(PutFenceTransfer&&) = delete;
  ~PutFenceTransfer() override { MPI_Win_free(&window_); }

  void run(std::int64_t first, std::int64_t iterations) override {
    const auto steps = messages().steps;
    const int bytes = size();
    const char* const receive_buffer = messages().buffers->receive();
    auto out = send_cursor(first);
    auto in = receive_cursor(first);
    MPI_Win_fence(0, window_);
    for (std::int64_t i = 0; i < iterations; ++i) {
      const char* send = out.next();
      const auto target = static_cast<MPI_Aint>(in.next() - receive_buffer);
      for (std::size_t s = 0; s < steps.size(); ++s) {
        MPI_Put(send + piece(s), bytes, MPI_BYTE, mpi_rank(steps[s].send_to),
                target + static_cast<MPI_Aint>(piece(s)), bytes, MPI_BYTE, window_);
      }
      MPI_Win_fence(0, window_);
    }
  }

 private:
  MPI_Win window_ = MPI_WIN_NULL;
};

}  // namespace

std::unique_ptr<Transfer> make_put_fence(const Messages& messages) {
  return std::make_unique<PutFenceTransfer>(messages);
}

}  // namespace beff::b_eff
