#include "engines/b_eff_io/setup.hpp"

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

/// The processes of `comm` for which `color` is the same, in the order of `key`.
Communicator split(MPI_Comm comm, int color, int key) {
  MPI_Comm part = MPI_COMM_NULL;
  MPI_Comm_split(comm, color, key, &part);
  return Communicator(part);
}

bool leads_all_elsewhere(MPI_Comm members, int shift, int node) {
  const int rank = rank_in(members);
  const int size = size_of(members);
  if (shift <= 0 || shift >= size) {
    return false;
  }
  int other = node;
  MPI_Sendrecv(&node, 1, MPI_INT, (rank - shift + size) % size, 0, &other, 1, MPI_INT,
               (rank + shift) % size, 0, members, MPI_STATUS_IGNORE);
  return allreduce(other != node ? 1 : 0, MPI_MIN, members) == 1;
}

/// 0 where no shift leads each process to another node.
int reader_shift(MPI_Comm members, const Nodes& nodes) {
  const int on_node = allreduce(nodes.local_processes(), MPI_MAX, members);
  // One rank further where ranks go round the nodes, a node further where they fill one by one.
  for (const int shift : std::array{1, on_node, size_of(members) / 2}) {
    if (leads_all_elsewhere(members, shift, nodes.leader())) {
      return shift;
    }
  }
  return 0;
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

Members::Members(int processes, bool shift_readers, const Nodes& nodes)
    : all_(split(MPI_COMM_WORLD, world_rank() < processes ? 0 : MPI_UNDEFINED, world_rank())) {
  if (shift_readers && all_.is_member() && nodes.count() > 1) {
    shift_ = reader_shift(all(), nodes);
  }
  if (shift_ > 0) {
    readers_ = split(all(), 0, owner(Access::kRead));
  }
}

int Members::owner(Access access) const {
  return access == Access::kRead ? (all_.rank() + shift_) % all_.size() : all_.rank();
}

}  // namespace beff::b_eff_io
