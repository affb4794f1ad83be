#include "engines/b_eff_io/agreement.hpp"

#include <array>
#include <chrono>
#include <limits>
#include <thread>

#include "engines/common/mpi/agree.hpp"

namespace beff::b_eff_io {
namespace {

using Values = std::array<double, 4>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::chrono::microseconds kNap{1};

/// What is agreed on by its maximum.
Values values_of(const Outcome& mine) {
  const double used = mine.free == kUnlimited ? -kInfinity : -static_cast<double>(mine.free);
  return {mine.elapsed, used, mine.error ? 1.0 : 0.0, mine.stop ? 1.0 : 0.0};
}

Outcome outcome_of(const Values& values) {
  Outcome all;
  all.elapsed = values[0];
  all.free = values[1] == -kInfinity ? kUnlimited : static_cast<Bytes>(-values[1]);
  all.error = values[2] > 0;
  all.stop = values[3] > 0;
  return all;
}

/// Some libraries' processes keep a core busy while they wait, until the system takes it away: with
/// MPICH and 4 processes on 2 cores a reduction then takes 8 ms.
void nap_until_done(MPI_Request& request, std::chrono::microseconds nap) {
  int done = 0;
  for (MPI_Test(&request, &done, MPI_STATUS_IGNORE); done == 0;
       MPI_Test(&request, &done, MPI_STATUS_IGNORE)) {
    std::this_thread::sleep_for(nap);
  }
}

void nap_at_barrier(MPI_Comm comm, std::chrono::microseconds nap) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(comm, &request);
  nap_until_done(request, nap);
}

}  // namespace

Outcome agree_on(MPI_Comm comm, const Outcome& mine, Waiting waiting) {
  auto values = values_of(mine);
  if (waiting == Waiting::kNapping) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE,
                   MPI_MAX, comm, &request);
    nap_until_done(request, kNap);
  } else {
    values = allreduce(values, MPI_MAX, comm);
  }
  return outcome_of(values);
}

void barrier(MPI_Comm comm, Waiting waiting) {
  if (waiting == Waiting::kNapping) {
    nap_at_barrier(comm, kNap);
  } else {
    MPI_Barrier(comm);
  }
}

void idle_barrier(MPI_Comm comm) {
  constexpr std::chrono::milliseconds kLongNap{1};
  nap_at_barrier(comm, kLongNap);
}

}  // namespace beff::b_eff_io
