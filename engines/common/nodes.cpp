#include "engines/common/nodes.hpp"

#include <array>

namespace beff {
namespace {

int world_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

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

Communicator split_leaders(const Communicator& local) {
  MPI_Comm leaders = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, local.rank() == 0 ? 0 : MPI_UNDEFINED, world_rank(), &leaders);
  return Communicator(leaders);
}

}  // namespace

Nodes::Nodes() : local_(split_by_node()), leaders_(split_leaders(local_)) {
  std::array<int, 2> index_and_count{leaders_.rank(), leaders_.size()};
  MPI_Bcast(index_and_count.data(), 2, MPI_INT, 0, local_.get());
  index_ = index_and_count[0];
  count_ = index_and_count[1];
}

std::vector<int> Nodes::placement() const {
  std::vector<int> placement(world_rank() == 0 ? static_cast<std::size_t>(world_size()) : 0);
  MPI_Gather(&index_, 1, MPI_INT, placement.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
  return placement;
}

std::vector<Host> Nodes::hosts() const {
  std::vector<Host> hosts;
  if (!is_leader()) {
    return hosts;
  }
  std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
  int length = 0;
  MPI_Get_processor_name(name.data(), &length);
  const int processes = local_processes();
  const std::size_t rows = world_rank() == 0 ? static_cast<std::size_t>(count_) : 0;
  std::vector<std::array<char, MPI_MAX_PROCESSOR_NAME>> names(rows);
  std::vector<int> counts(rows);
  MPI_Gather(name.data(), MPI_MAX_PROCESSOR_NAME, MPI_CHAR, names.data(), MPI_MAX_PROCESSOR_NAME,
             MPI_CHAR, 0, leaders_.get());
  MPI_Gather(&processes, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, leaders_.get());
  for (std::size_t i = 0; i < rows; ++i) {
    hosts.push_back({.name = std::string(names[i].data()), .processes = counts[i]});
  }
  return hosts;
}

}  // namespace beff
