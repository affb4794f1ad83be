#include "engines/common/mpi/noted_errors.hpp"

#include <utility>

#include "engines/common/mpi/launch.hpp"

namespace beff {
namespace {

// A handler can reach nothing but globals.
int noted_communicators = 0;
std::optional<std::string> first_noted;

void note_error(int code) {
  if (!first_noted) {
    first_noted = error_text(code);
  }
}

void note_of_communicator(MPI_Comm* /*comm*/, int* code, ...) { note_error(*code); }
void note_of_window(MPI_Win* /*window*/, int* code, ...) { note_error(*code); }

}  // namespace

NotedErrors::NotedErrors(MPI_Comm comm) : comm_(comm) {
  MPI_Comm_create_errhandler(note_of_communicator, &handler_);
  MPI_Comm_set_errhandler(comm_, handler_);
  ++noted_communicators;
}

NotedErrors::~NotedErrors() {
  MPI_Comm_set_errhandler(comm_, MPI_ERRORS_ARE_FATAL);
  MPI_Errhandler_free(&handler_);
  --noted_communicators;
}

std::optional<std::string> NotedErrors::take() { return std::exchange(first_noted, std::nullopt); }

void NotedErrors::include(MPI_Win window) {
  if (noted_communicators == 0) {
    return;
  }
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Win_create_errhandler(note_of_window, &handler);
  MPI_Win_set_errhandler(window, handler);
  MPI_Errhandler_free(&handler);
}

}  // namespace beff
