#include "engines/common/mpi/noted_errors.hpp"

#include <utility>

#include "engines/common/mpi/launch.hpp"

namespace beff {
namespace {

struct Noted {
  int communicators = 0;
  std::optional<std::string> first;
};

/// A handler can reach nothing but globals.
Noted& all_noted() {
  static Noted noted;
  return noted;
}

void note_error(int code) {
  if (auto& first = all_noted().first; !first) {
    first = error_text(code);
  }
}

// NOLINTBEGIN(modernize-avoid-variadic-functions, readability-non-const-parameter): as MPI
// prescribes
void note_of_communicator(MPI_Comm* /*comm*/, int* code, ...) { note_error(*code); }
void note_of_window(MPI_Win* /*window*/, int* code, ...) { note_error(*code); }
// NOLINTEND(modernize-avoid-variadic-functions, readability-non-const-parameter)

}  // namespace

NotedErrors::NotedErrors(MPI_Comm comm) : comm_(comm) {
  if constexpr (!kSimulated) {
    MPI_Comm_create_errhandler(note_of_communicator, &handler_);
    MPI_Comm_set_errhandler(comm_, handler_);
    ++all_noted().communicators;
  }
}

NotedErrors::~NotedErrors() {
  if constexpr (!kSimulated) {
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_ARE_FATAL);
    MPI_Errhandler_free(&handler_);
    --all_noted().communicators;
  }
}

std::optional<std::string> NotedErrors::take() {
  if constexpr (kSimulated) {
    return std::nullopt;
  } else {
    return std::exchange(all_noted().first, std::nullopt);
  }
}

void NotedErrors::include(MPI_Win window) {
  if constexpr (!kSimulated) {
    if (all_noted().communicators == 0) {
      return;
    }
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    MPI_Win_create_errhandler(note_of_window, &handler);
    MPI_Win_set_errhandler(window, handler);
    MPI_Errhandler_free(&handler);
  }
}

}  // namespace beff
