#pragma once

#include <mpi.h>

#include <utility>

namespace beff {

[[nodiscard]] inline int world_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

/// Owns a communicator; a process that is no member holds MPI_COMM_NULL.
class Communicator {
 public:
  Communicator() = default;
  explicit Communicator(MPI_Comm handle) : handle_(handle) {}
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  Communicator(Communicator&& other) noexcept
      : handle_(std::exchange(other.handle_, MPI_COMM_NULL)) {}
  Communicator& operator=(Communicator&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Communicator() {
    if (handle_ != MPI_COMM_NULL) {
      MPI_Comm_free(&handle_);
    }
  }

  [[nodiscard]] MPI_Comm get() const { return handle_; }
  [[nodiscard]] bool is_member() const { return handle_ != MPI_COMM_NULL; }
  /// Rank in this communicator; -1 for a process that is no member.
  [[nodiscard]] int rank() const {
    int rank = -1;
    if (is_member()) {
      MPI_Comm_rank(handle_, &rank);
    }
    return rank;
  }
  [[nodiscard]] int size() const {
    int size = 0;
    if (is_member()) {
      MPI_Comm_size(handle_, &size);
    }
    return size;
  }

 private:
  MPI_Comm handle_ = MPI_COMM_NULL;
};

}  // namespace beff
