#pragma once

#include <mpi.h>

#include <optional>
#include <string>

#include "core/record/environment.hpp"

namespace beff {

/// What the environment of a launcher says before MPI is initialised.
struct LaunchHints {
  std::optional<int> rank;     ///< rank in the job; empty without a launcher
  std::optional<int> size;     ///< processes of the job
  std::optional<int> nodes;    ///< nodes of the job
  std::string size_variable;   ///< the variable that gave the size
  std::string nodes_variable;  ///< the variable that gave the nodes
  int components = 1;          ///< of a heterogeneous job of Slurm
  bool foreign = false;        ///< rank and size are promised by another library's launcher alone
};

/// Reads the variables that launchers and schedulers set for each process. Those of this library's
/// launchers come first: others may be left from what started the shell.
LaunchHints launch_hints();

/// Before MPI_Init: where hydra has started this process, forgets what else is left in the
/// environment by which MPICH knows a launcher, as it ends where there are two.
void forget_other_launchers();

/// One sentence when another MPI library's launcher has started this program, which then would
/// abort or run as separate single processes; empty when nothing speaks against the launch.
std::optional<std::string> foreign_launcher(const LaunchHints& hints);

/// Libraries that are started alike.
enum class MpiFamily {
  kMpich,  ///< MPICH and its kin: Intel MPI, Cray MPICH, MVAPICH
  kOpenMpi,
  kOther,
};

/// What the library says of itself: its first line, without repeated blanks. May be called before
/// MPI is initialised.
std::string mpi_library_text();

/// The text that the library gives to an error code, in one line.
[[nodiscard]] std::string error_text(int code);

/// The family by such a text. Asked at run time: a program of the standard ABI meets them all.
MpiFamily mpi_family(const std::string& library_text);

/// Built for SimGrid's SMPI: hosts, network and MPI_Wtime are simulated, all processes are threads
/// of one, and the machine underneath must not be taken for a node.
#ifdef BEFF_SMPI
inline constexpr bool kSimulated = true;
#else
inline constexpr bool kSimulated = false;
#endif

/// What simulates, and what BEFF_SIMULATION, a JSON object set by `beff run --simulate`, says of
/// the network; null on a real machine.
RecordedJson simulation_record();

/// The simulated system in the place of uname(2).
Uname simulated_system(const Json& simulation);

/// As long as it lives, an error of MPI on a communicator, or on one that is made from it, is noted
/// instead of ending the job: for what is tried before it is measured. What calls with an error
/// leave is not used. One at a time for each communicator. In a simulation, whose processes share
/// all that a handler can reach, it ends the job.
class NotedErrors {
 public:
  explicit NotedErrors(MPI_Comm comm);
  NotedErrors(const NotedErrors&) = delete;
  NotedErrors& operator=(const NotedErrors&) = delete;
  ~NotedErrors();

  /// The first since the last call, as the library words it.
  [[nodiscard]] static std::optional<std::string> take();
  /// Those of a window, too, which has its own; nothing where none is noted now.
  static void include(MPI_Win window);

 private:
  MPI_Comm comm_;
  MPI_Errhandler handler_ = MPI_ERRHANDLER_NULL;
};

/// MPI from here to the end of the scope.
class MpiSession {
 public:
  MpiSession(int* argc, char*** argv) {
    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &thread_level_);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;
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
