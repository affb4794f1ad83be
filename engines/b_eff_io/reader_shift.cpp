#include "engines/b_eff_io/reader_shift.hpp"

#include <array>

namespace beff::b_eff_io {
namespace {

bool leads_all_elsewhere(MPI_Comm members, int shift, int node) {
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(members, &rank);
  MPI_Comm_size(members, &size);
  if (shift <= 0 || shift >= size) {
    return false;
  }
  int other = node;
  MPI_Sendrecv(&node, 1, MPI_INT, (rank - shift + size) % size, 0, &other, 1, MPI_INT,
               (rank + shift) % size, 0, members, MPI_STATUS_IGNORE);
  int elsewhere = other != node ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &elsewhere, 1, MPI_INT, MPI_MIN, members);
  return elsewhere == 1;
}

}  // namespace

int reader_shift(MPI_Comm members, int node, int on_node) {
  int size = 0;
  MPI_Comm_size(members, &size);
  MPI_Allreduce(MPI_IN_PLACE, &on_node, 1, MPI_INT, MPI_MAX, members);
  // One rank further where ranks go round the nodes, a node further where they fill one by one.
  for (const int shift : std::array{1, on_node, size / 2}) {
    if (leads_all_elsewhere(members, shift, node)) {
      return shift;
    }
  }
  return 0;
}

}  // namespace beff::b_eff_io
