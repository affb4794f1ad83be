#include "engines/b_eff_io/reader_shift.hpp"

#include <array>

#include "engines/common/agree.hpp"

namespace beff::b_eff_io {
namespace {

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

}  // namespace

int reader_shift(MPI_Comm members, int node, int on_node) {
  const int largest = allreduce(on_node, MPI_MAX, members);
  // One rank further where ranks go round the nodes, a node further where they fill one by one.
  for (const int shift : std::array{1, largest, size_of(members) / 2}) {
    if (leads_all_elsewhere(members, shift, node)) {
      return shift;
    }
  }
  return 0;
}

}  // namespace beff::b_eff_io
