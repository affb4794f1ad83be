#pragma once

#include <mpi.h>

namespace beff {

/// MPI from here to the end of the scope.
class MpiSession {
 public:
  MpiSession(int* argc, char*** argv) {
    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &thread_level_);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  MpiSession(const MpiSession&) = delete;
  MpiSession(MpiSession&&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;
  MpiSession& operator=(MpiSession&&) = delete;
  ~MpiSession() { MPI_Finalize(); }

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] int thread_level() const { return thread_level_; }

 private:
  int rank_ = 0;
  int size_ = 1;
  int thread_level_ = MPI_THREAD_SINGLE;
};

}  // namespace beff
