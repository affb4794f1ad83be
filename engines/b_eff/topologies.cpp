#include "engines/b_eff/topologies.hpp"

#include <algorithm>
#include <array>

namespace beff::b_eff {
namespace {

int dimensions_of(Topology topology) {
  switch (topology) {
    case Topology::kPlane:
      return 2;
    case Topology::kSpace:
      return 3;
    default:
      return 1;
  }
}

MPI_Comm make_cartesian(int dimensions, const CartesianShape& shape) {
  std::array<int, 3> periods{};
  periods.fill(shape.cyclic ? 1 : 0);
  MPI_Comm communicator = MPI_COMM_NULL;
  MPI_Cart_create(MPI_COMM_WORLD, dimensions, shape.extents.data(), periods.data(), 1,
                  &communicator);
  return communicator;
}

}  // namespace

MPI_Comm Topologies::communicator_of(const Graph& graph) {
  if (graph.topology() == Topology::kWorld) {
    return MPI_COMM_WORLD;
  }
  const CartesianShape shape = graph.cartesian_shape();
  auto found = std::ranges::find(entries_, shape, &Entry::shape);
  if (found == entries_.end()) {
    const int dimensions = dimensions_of(graph.topology());
    entries_.push_back(
        {.shape = shape, .communicator = Communicator(make_cartesian(dimensions, shape))});
    found = std::prev(entries_.end());
  }
  return found->communicator.get();
}

}  // namespace beff::b_eff
