#pragma once

#include <mpi.h>

#include <cstdint>

#include "core/b_eff_io/machine.hpp"
#include "engines/common/mpi/handles.hpp"
#include "engines/common/mpi/nodes.hpp"

namespace beff::b_eff_io {

/// How processes wait for each other.
enum class Waiting : std::uint8_t {
  kSpinning,  ///< as the library does
  kNapping,   ///< where processes share cores: those that wait leave theirs to the others
};

/// All processes of a communicator pass what they see and get what all have seen, by one reduction:
/// maxima of elapsed, error and stop, the minimum of free. Collective.
[[nodiscard]] Outcome agree_on(MPI_Comm comm, const Outcome& mine, Waiting waiting);

/// Waits until all processes of `comm` have come. Collective.
void barrier(MPI_Comm comm, Waiting waiting);

/// The same without keeping a core busy, and with longer naps: processes that do not belong to a
/// partition wait for it for minutes, on cores that others measure with. Collective.
void idle_barrier(MPI_Comm comm);

/// The processes of a partition, ranks 0 … processes - 1 of the run.
class Members {
 public:
  /// With `shift_readers` each process reads what one of another node wrote, which its own node's
  /// page cache cannot hold, where one shift of the ranks does that for all of them. O(1) memory.
  /// Collective over MPI_COMM_WORLD.
  Members(int processes, bool shift_readers, const Nodes& nodes);

  [[nodiscard]] MPI_Comm all() const { return all_.get(); }
  /// Those who open the file together. Ordered reads through a shared pointer go by the rank in
  /// the communicator that opened it, so readers have the ranks of those whose data they read.
  [[nodiscard]] MPI_Comm openers(Access access) const {
    return access == Access::kRead && readers_.is_member() ? readers_.get() : all();
  }
  /// The rank whose data this process moves.
  [[nodiscard]] int owner(Access access) const;
  [[nodiscard]] bool shifts_readers() const { return shift_ > 0; }

 private:
  Communicator all_;
  int shift_ = 0;  ///< of ranks, between a reader and the writer
  Communicator readers_;
};

}  // namespace beff::b_eff_io
