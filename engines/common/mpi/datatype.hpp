#pragma once

#include <mpi.h>

#include "core/units/quantity_text.hpp"
#include "engines/common/mpi/owned.hpp"

namespace beff {

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
