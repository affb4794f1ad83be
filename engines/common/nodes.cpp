#include "engines/common/nodes.hpp"

#include <array>
#include <string>
#include <utility>

namespace beff {
namespace {

using Name = std::array<char, MPI_MAX_PROCESSOR_NAME>;

int world_size() {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

Communicator split_by_node() {
  MPI_Comm local = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, world_rank(), MPI_INFO_NULL, &local);
  return Communicator(local);
}

}  // namespace

Nodes::Nodes()
    : local_(split_by_node()),
      leader_(world_rank()),
      leaders_(world_rank() == 0 ? static_cast<std::size_t>(world_size()) : 0) {
  MPI_Bcast(&leader_, 1, MPI_INT, 0, local_.get());
  MPI_Gather(&leader_, 1, MPI_INT, leaders_.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
  const int is_one = is_leader() ? 1 : 0;
  MPI_Allreduce(&is_one, &count_, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

std::vector<int> Nodes::placement() const {
  std::vector<int> placement(leaders_.size());
  int next = 0;
  for (std::size_t rank = 0; rank < leaders_.size(); ++rank) {
    const auto leader = static_cast<std::size_t>(leaders_[rank]);
    placement[rank] = leader == rank ? next++ : placement[leader];
  }
  return placement;
}

std::vector<Host> Nodes::hosts() const {
  Name name{};
  int length = 0;
  MPI_Get_processor_name(name.data(), &length);
  std::vector<int> counts(leaders_.size());
  std::vector<int> offsets(leaders_.size());
  int bytes = 0;
  for (std::size_t rank = 0; rank < leaders_.size(); ++rank) {
    const bool leads = std::cmp_equal(leaders_[rank], rank);
    counts[rank] = leads ? MPI_MAX_PROCESSOR_NAME : 0;
    offsets[rank] = bytes;
    bytes += counts[rank];
  }
  std::vector<Name> names(static_cast<std::size_t>(bytes) / sizeof(Name));
  MPI_Gatherv(name.data(), is_leader() ? MPI_MAX_PROCESSOR_NAME : 0, MPI_CHAR, names.data(),
              counts.data(), offsets.data(), MPI_CHAR, 0, MPI_COMM_WORLD);
  std::vector<Host> hosts;
  for (const auto& found : names) {
    hosts.push_back({.name = std::string(found.data()), .processes = 0});
  }
  for (const int node : placement()) {
    ++hosts.at(static_cast<std::size_t>(node)).processes;
  }
  return hosts;
}

}  // namespace beff
