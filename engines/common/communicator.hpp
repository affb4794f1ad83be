#pragma once

#include <mpi.h>

#include "engines/common/owned.hpp"

namespace beff {

[[nodiscard]] inline int world_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

inline MPI_Comm no_communicator() { return MPI_COMM_NULL; }

/// Owns a communicator; a process that is no member holds MPI_COMM_NULL.
class Communicator : public Owned<MPI_Comm, MPI_Comm_free, no_communicator> {
 public:
  using Owned::Owned;

  [[nodiscard]] bool is_member() const { return get() != MPI_COMM_NULL; }
  /// Rank in this communicator; -1 for a process that is no member.
  [[nodiscard]] int rank() const {
    int rank = -1;
    if (is_member()) {
      MPI_Comm_rank(get(), &rank);
    }
    return rank;
  }
  [[nodiscard]] int size() const {
    int size = 0;
    if (is_member()) {
      MPI_Comm_size(get(), &size);
    }
    return size;
  }
};

}  // namespace beff
