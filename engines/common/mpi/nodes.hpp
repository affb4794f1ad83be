#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "core/record/environment.hpp"
#include "engines/common/mpi/handles.hpp"

namespace beff {

/// How the processes of a job lie on its nodes. A node is what MPI_Comm_split_type(SHARED) joins;
/// its leader is its process of lowest rank. Nodes that are containers of one kernel have their
/// cores and memory in common, which their boot id shows. No communicator of all leaders: it would
/// have as many members as there are nodes, and SMPI takes the square of that to make one.
class Nodes {
 public:
  /// Collective over MPI_COMM_WORLD.
  Nodes();

  /// The processes of this node.
  [[nodiscard]] MPI_Comm local() const { return local_.get(); }
  [[nodiscard]] bool is_leader() const { return local_.rank() == 0; }
  /// Rank of this node's leader: a number that no other node has.
  [[nodiscard]] int leader() const { return leader_; }
  [[nodiscard]] int local_processes() const { return local_.size(); }
  [[nodiscard]] int count() const { return count_; }

  /// The processes of this node's kernel: those of the node alone, but for containers.
  [[nodiscard]] MPI_Comm of_kernel() const;
  [[nodiscard]] int processes_of_kernel() const { return size_of(of_kernel()); }
  [[nodiscard]] bool shares_kernel() const { return of_kernel_.is_member(); }

  /// Node index of each rank, on rank 0; empty elsewhere. Nodes are numbered in the order of their
  /// leaders.
  [[nodiscard]] std::vector<int> placement() const;
  /// Kernel of each node, on rank 0: kernels are numbered in the order of their first nodes. Empty
  /// where each node has one of its own, and elsewhere.
  [[nodiscard]] const std::vector<int>& kernels() const { return kernels_; }
  /// Name and number of processes of each node, on rank 0; empty elsewhere. `name` is that of this
  /// process's host. Collective.
  [[nodiscard]] std::vector<Host> hosts(const std::string& name) const;

 private:
  void find_kernels();

  Communicator local_;
  int leader_ = 0;
  int count_ = 0;
  std::vector<int> leaders_;  ///< rank of each process's leader, on rank 0; empty elsewhere
  Communicator of_kernel_;    ///< where some kernel has several nodes
  std::vector<int> kernels_;
};

/// The name of this process's host.
[[nodiscard]] std::string host_name();

}  // namespace beff
