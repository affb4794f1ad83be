#pragma once

#include <optional>
#include <string>

namespace beff {

/// What the environment of a launcher says before MPI is initialised.
struct LaunchHints {
  std::optional<int> rank;     ///< rank in the job; empty without a launcher
  std::optional<int> size;     ///< processes of the job
  std::optional<int> nodes;    ///< nodes of the job
  std::string size_variable;   ///< the variable that gave the size
  std::string nodes_variable;  ///< the variable that gave the nodes
};

/// Reads the variables that launchers and schedulers set for each process.
LaunchHints launch_hints();

/// One sentence when another MPI library's launcher has started this program, which then would
/// abort or run as separate single processes; empty when nothing speaks against the launch.
std::optional<std::string> foreign_launcher();

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
