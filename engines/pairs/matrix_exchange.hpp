#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "core/pairs/matrix.hpp"
#include "core/pairs/measure.hpp"
#include "core/pairs/plan.hpp"
#include "core/record/result.hpp"
#include "engines/pairs/meeting.hpp"

namespace beff::pairs {

/// The messages of the matrix that this process sends and receives. Each has a place of its own in
/// a block of the buffers; iterations take the blocks in turn. Who is next behind this rank, and
/// begins again at 0, is sent to first, and who is next before it is received from first: so not
/// all begin with rank 0.
class MatrixExchange {
 public:
  /// Of a plan with its matrix; `memory` must outlive the object. Throws std::bad_alloc.
  MatrixExchange(const Plan& plan, const MatrixShare& share, BufferMemory& memory);

  /// Seconds of so many iterations, behind one that does not count and a barrier: who has little to
  /// do must not begin to count while others are still at what does not.
  [[nodiscard]] Seconds time_loop(std::int64_t iterations);
  /// An iteration behind a barrier; of the messages received, notes when they were seen to have
  /// come.
  [[nodiscard]] MatrixLook look();
  /// Compares the first and last byte of every message of the iterations since the last call, of
  /// which a later one has not overwritten them, and spoils them.
  [[nodiscard]] MessageCheck check(std::int64_t iterations);

  /// In an iteration.
  [[nodiscard]] MovedBytes moved() const;
  /// Bytes sent so far to ranks that `counts`.
  [[nodiscard]] Bytes sent_bytes(const std::function<bool(int rank)>& counts) const;

 private:
  struct Piece {
    int peer;
    int bytes;
    Bytes offset;  ///< in a block
    int number;    ///< among the messages of the two
  };

  /// What MPI_Alltoallv asks for, of each rank.
  struct Counts {
    std::vector<int> counts;
    std::vector<int> offsets;
  };

  [[nodiscard]] std::vector<Piece> pieces(const std::vector<MatrixRow>& rows, bool sent) const;
  [[nodiscard]] Counts counts_of(const std::vector<Piece>& pieces) const;
  void fill();
  void run(std::int64_t iterations);
  void run_nonblocking(std::int64_t iterations);
  void run_alltoallv(std::int64_t iterations);
  void post(const char* send, char* receive);
  /// Where the block of the next iteration begins.
  [[nodiscard]] Bytes next_block();

  MatrixMethod method_;
  int rank_;
  int processes_;
  MatrixBlocks blocks_;
  std::vector<Piece> sends_;
  std::vector<Piece> receives_;
  Buffers buffers_;
  std::vector<MPI_Request> requests_;  ///< those of receives first
  Counts send_counts_;                 ///< of MPI_Alltoallv
  Counts receive_counts_;
  std::int64_t done_ = 0;  ///< iterations
};

}  // namespace beff::pairs
