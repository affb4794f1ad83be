#include "engines/b_eff_io/members.hpp"

#include <array>

#include "engines/common/mpi/agree.hpp"

namespace beff::b_eff_io {
namespace {

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
