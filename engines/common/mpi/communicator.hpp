#pragma once

#include <mpi.h>

#include "engines/common/mpi/owned.hpp"

namespace beff {

[[nodiscard]] inline int rank_in(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

[[nodiscard]] inline int size_of(MPI_Comm comm) {
  int size = 0;
  MPI_Comm_size(comm, &size);
  return size;
}

[[nodiscard]] inline int world_rank() { return rank_in(MPI_COMM_WORLD); }

inline MPI_Comm no_communicator() { return MPI_COMM_NULL; }

/// Owns a communicator; a process that is no member holds MPI_COMM_NULL.
class Communicator : public Owned<MPI_Comm, MPI_Comm_free, no_communicator> {
 public:
  using Owned::Owned;

  [[nodiscard]] bool is_member() const { return get() != MPI_COMM_NULL; }
  /// Rank in this communicator; -1 for a process that is no member.
  [[nodiscard]] int rank() const { return is_member() ? rank_in(get()) : -1; }
  [[nodiscard]] int size() const { return is_member() ? size_of(get()) : 0; }
};

}  // namespace beff
