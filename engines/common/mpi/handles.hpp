#pragma once

#include <mpi.h>
#include <unistd.h>

#include <utility>

#include "core/units/quantity_text.hpp"

namespace beff {

/// Owns a handle, which `give_up` frees; `none` gives the handle that stands for nothing.
/// (`free` itself is a macro of SMPI.)
template <class Handle, auto give_up, Handle (*none)()>
class Owned {
 public:
  Owned() = default;
  explicit Owned(Handle handle) : handle_(handle) {}
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  Owned(Owned&& other) noexcept : handle_(std::exchange(other.handle_, none())) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Owned() {
    if (handle_ != none()) {
      give_up(&handle_);
    }
  }

  [[nodiscard]] Handle get() const { return handle_; }
  /// Gives the handle away: it is no longer owned.
  [[nodiscard]] Handle release() { return std::exchange(handle_, none()); }

 private:
  Handle handle_ = none();
};

inline int no_file() { return -1; }
inline void close_file(const int* file) { close(*file); }
/// Owns an open file of the operating system.
using OpenFile = Owned<int, close_file, no_file>;

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

inline MPI_Info no_info() { return MPI_INFO_NULL; }
using Info = Owned<MPI_Info, MPI_Info_free, no_info>;

inline MPI_Datatype no_datatype() { return MPI_DATATYPE_NULL; }

/// Owns a committed MPI datatype.
class Datatype : public Owned<MPI_Datatype, MPI_Type_free, no_datatype> {
 public:
  Datatype() = default;
  /// `bytes` contiguous bytes. Built of words of 8 byte where that is possible, so that the int
  /// count of MPI holds for more than 2 GiB.
  static Datatype contiguous(Bytes bytes) {
    constexpr Bytes kWord = 8;
    MPI_Datatype word = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(bytes % kWord == 0 ? kWord : 1, MPI_BYTE, &word);
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(static_cast<int>(bytes % kWord == 0 ? bytes / kWord : bytes), word, &type);
    MPI_Type_free(&word);
    return Datatype(type);
  }
  /// `chunk`, repeated every `stride` byte.
  static Datatype strided(const Datatype& chunk, Bytes stride) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_create_resized(chunk.get(), 0, static_cast<MPI_Aint>(stride), &type);
    return Datatype(type);
  }

 private:
  explicit Datatype(MPI_Datatype handle) : Owned((MPI_Type_commit(&handle), handle)) {}
};

}  // namespace beff
