#include "engines/common/nodes.hpp"

#include <array>
#include <string>
#include <utility>

#include "engines/common/agree.hpp"

namespace beff {
namespace {

Communicator split_by_node() {
  MPI_Comm local = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, world_rank(), MPI_INFO_NULL, &local);
  return Communicator(local);
}

}  // namespace

Nodes::Nodes()
    : local_(split_by_node()),
      leader_(from_rank_0(world_rank(), local_.get())),
      count_(allreduce(is_leader() ? 1 : 0, MPI_SUM)),
      leaders_(gather(leader_)) {}

std::vector<int> Nodes::placement() const {
  std::vector<int> placement(leaders_.size());
  int next = 0;
  for (std::size_t rank = 0; rank < leaders_.size(); ++rank) {
    const auto leader = static_cast<std::size_t>(leaders_[rank]);
    placement[rank] = leader == rank ? next++ : placement[leader];
  }
  return placement;
}

std::string host_name() {
  std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
  int length = 0;
  MPI_Get_processor_name(name.data(), &length);
  return name.data();
}

std::vector<Host> Nodes::hosts(const std::string& name) const {
  const auto names = gather(is_leader() ? name : std::string());
  std::vector<Host> hosts;
  for (std::size_t rank = 0; rank < names.size(); ++rank) {
    if (std::cmp_equal(leaders_[rank], rank)) {
      hosts.push_back({.name = names[rank], .processes = 0});
    }
  }
  for (const int node : placement()) {
    ++hosts.at(static_cast<std::size_t>(node)).processes;
  }
  return hosts;
}

}  // namespace beff
