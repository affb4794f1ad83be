#include <vector>

#include "engines/b_eff/transfer.hpp"
#include "engines/common/mpi/handles.hpp"

namespace beff::b_eff {
namespace {

/// The steps that have a neighbour on one side: ranks, and counts and offsets in a block.
struct Neighbours {
  std::vector<int> ranks;
  std::vector<std::size_t> steps;
  std::vector<int> counts;
  std::vector<int> offsets;

  void add(int peer, std::size_t step) {
    if (peer != kNoPeer) {
      ranks.push_back(peer);
      steps.push_back(step);
    }
  }
  [[nodiscard]] int count() const { return static_cast<int>(ranks.size()); }
  void arrange(int size, Bytes stride) {
    counts.assign(ranks.size(), size);
    offsets.clear();
    for (const auto step : steps) {
      offsets.push_back(static_cast<int>(static_cast<Bytes>(step) * stride));
    }
  }
};

/// The same processes in the same order. What is derived from a Cartesian communicator goes on
/// counting Cartesian neighbours in Open MPI 5.0, so this one is made from the world.
Communicator without_topology(MPI_Comm communicator) {
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Comm_group(communicator, &group);
  MPI_Comm plain = MPI_COMM_NULL;
  MPI_Comm_create_group(MPI_COMM_WORLD, group, 0, &plain);
  MPI_Group_free(&group);
  return Communicator(plain);
}

class NeighborAlltoallvTransfer final : public Transfer {
 public:
  explicit NeighborAlltoallvTransfer(const Messages& messages) : Transfer(messages) {
    for (std::size_t s = 0; s < messages.steps.size(); ++s) {
      sources_.add(messages.steps[s].receive_from, s);
      destinations_.add(messages.steps[s].send_to, s);
    }
    const Communicator plain = without_topology(messages.communicator);
    MPI_Comm graph = MPI_COMM_NULL;
    MPI_Dist_graph_create_adjacent(
        plain.get(), sources_.count(), sources_.ranks.data(), MPI_UNWEIGHTED, destinations_.count(),
        destinations_.ranks.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    graph_ = Communicator(graph);
  }

  void run(std::int64_t first, std::int64_t iterations) override {
    auto out = send_cursor(first);
    auto in = receive_cursor(first);
    for (std::int64_t i = 0; i < iterations; ++i) {
      MPI_Neighbor_alltoallv(out.next(), destinations_.counts.data(), destinations_.offsets.data(),
                             MPI_BYTE, in.next(), sources_.counts.data(), sources_.offsets.data(),
                             MPI_BYTE, graph_.get());
    }
  }

 private:
  void arrange(BlockLayout& send, BlockLayout& receive) override {
    destinations_.arrange(size(), send.stride);
    sources_.arrange(size(), receive.stride);
  }

  Neighbours sources_;
  Neighbours destinations_;
  Communicator graph_;
};

}  // namespace

std::unique_ptr<Transfer> make_neighbor_alltoallv(const Messages& messages) {
  return std::make_unique<NeighborAlltoallvTransfer>(messages);
}

}  // namespace beff::b_eff
