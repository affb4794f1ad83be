#include "engines/common/mpi/nodes.hpp"

#include <array>
#include <cstdlib>
#include <string>
#include <utility>

#include "core/record/hosts.hpp"
#include "engines/common/host/host.hpp"
#include "engines/common/mpi/agree.hpp"
#include "engines/common/mpi/launch.hpp"

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
      leaders_(gather(leader_)) {
  if (!kSimulated) {  // SMPI's hosts are one process
    find_kernels();
  }
}

void Nodes::find_kernels() {
  const auto boot_ids =
      gather(is_leader() ? line_in("/proc/sys/kernel/random/boot_id") : std::string());
  std::vector<int> kernel_of_rank(boot_ids.size());
  if (!boot_ids.empty()) {
    std::vector<std::string> of_nodes;
    for (std::size_t rank = 0; rank < boot_ids.size(); ++rank) {
      if (std::cmp_equal(leaders_[rank], rank)) {
        of_nodes.push_back(boot_ids[rank]);
      }
    }
    kernels_ = numbered_kernels(of_nodes);
    const auto nodes = placement();
    for (std::size_t rank = 0; rank < nodes.size() && !kernels_.empty(); ++rank) {
      kernel_of_rank[rank] = kernels_[static_cast<std::size_t>(nodes[rank])];
    }
  }
  if (from_rank_0(kernels_.empty() ? 0 : 1) == 0) {
    return;
  }
  int mine = 0;
  MPI_Scatter(kernel_of_rank.data(), 1, MPI_INT, &mine, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Comm kernel = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, mine, world_rank(), &kernel);
  of_kernel_ = Communicator(kernel);
}

MPI_Comm Nodes::of_kernel() const {
  return of_kernel_.is_member() ? of_kernel_.get() : local_.get();
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

std::string host_name() {
  std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
  int length = 0;
  MPI_Get_processor_name(name.data(), &length);
  return name.data();
}

namespace {

std::string variable(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? std::string() : text;
}

}  // namespace

std::vector<Host> Nodes::hosts(const std::string& name) const {
  const auto place =
      kSimulated || !is_leader()
          ? PlaceInJob()
          : place_in_slurm(variable("SLURMD_NODENAME"), variable("SLURM_TOPOLOGY_ADDR"),
                           variable("SLURM_TOPOLOGY_ADDR_PATTERN"));
  const auto names = gather(is_leader() ? name : std::string());
  const auto of_launcher = gather(place.node);
  const auto switches = gather(place.switches);
  std::vector<Host> hosts;
  for (std::size_t rank = 0; rank < names.size(); ++rank) {
    if (std::cmp_equal(leaders_[rank], rank)) {
      hosts.push_back({.name = names[rank],
                       .processes = 0,
                       .place = {.node = of_launcher[rank], .switches = switches[rank]}});
    }
  }
  drop_copied_places(hosts);
  for (const int node : placement()) {
    ++hosts.at(static_cast<std::size_t>(node)).processes;
  }
  return hosts;
}

}  // namespace beff
