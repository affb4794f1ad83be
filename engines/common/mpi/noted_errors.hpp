#pragma once

#include <mpi.h>

#include <optional>
#include <string>

namespace beff {

/// As long as it lives, an error of MPI on a communicator, or on one that is made from it, is noted
/// instead of ending the job: for what is tried before it is measured. What calls with an error
/// leave is not used. One at a time for each communicator. In a simulation, whose processes share
/// all that a handler can reach, it ends the job.
class NotedErrors {
 public:
  explicit NotedErrors(MPI_Comm comm);
  NotedErrors(const NotedErrors&) = delete;
  NotedErrors(NotedErrors&&) = delete;
  NotedErrors& operator=(const NotedErrors&) = delete;
  NotedErrors& operator=(NotedErrors&&) = delete;
  ~NotedErrors();

  /// The first since the last call, as the library words it.
  [[nodiscard]] static std::optional<std::string> take();
  /// Those of a window, too, which has its own; nothing where none is noted now.
  static void include(MPI_Win window);

 private:
  MPI_Comm comm_;
  MPI_Errhandler handler_ = MPI_ERRHANDLER_NULL;
};

}  // namespace beff
