#pragma once

#include <string>

namespace beff {

/// Libraries that are started alike.
enum class MpiFamily {
  kMpich,  ///< MPICH and its kin: Intel MPI, Cray MPICH, MVAPICH
  kOpenMpi,
  kOther,
};

/// What the library says of itself: its first line, without repeated blanks. May be called before
/// MPI is initialised.
std::string mpi_library_text();

/// The family by such a text. Asked at run time: a program of the standard ABI meets them all.
MpiFamily mpi_family(const std::string& library_text);

}  // namespace beff
