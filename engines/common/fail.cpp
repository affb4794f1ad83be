#include "engines/common/fail.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <cstdio>
#include <cstdlib>

#include "engines/common/communicator.hpp"

namespace beff {

void abort_job(const std::string& message) {
  const int rank = world_rank();
  fmt::print(stderr, "beff: rank {}: {}\n", rank, message);
  std::fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, kExitFailed);
  std::abort();
}

}  // namespace beff
