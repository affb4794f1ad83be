#pragma once

#include <mpi.h>

#include <vector>

#include "core/record/environment.hpp"
#include "engines/common/communicator.hpp"

namespace beff {

/// How the processes of a job lie on its nodes. A node is what MPI_Comm_split_type(SHARED) joins.
class Nodes {
 public:
  /// Collective over MPI_COMM_WORLD.
  Nodes();

  /// The processes of this node.
  [[nodiscard]] MPI_Comm local() const { return local_.get(); }
  /// One process of each node, its rank being the node's index; no member elsewhere.
  [[nodiscard]] const Communicator& leaders() const { return leaders_; }
  [[nodiscard]] bool is_leader() const { return leaders_.is_member(); }
  /// Index of this process's node: nodes are numbered by their lowest rank.
  [[nodiscard]] int index() const { return index_; }
  [[nodiscard]] int local_processes() const { return local_.size(); }
  [[nodiscard]] int count() const { return count_; }

  /// Node index of each rank, on rank 0; empty elsewhere. Collective.
  [[nodiscard]] std::vector<int> placement() const;
  /// Name and number of processes of each node, on rank 0; empty elsewhere. Collective.
  [[nodiscard]] std::vector<Host> hosts() const;

 private:
  Communicator local_;
  Communicator leaders_;
  int index_ = 0;
  int count_ = 0;
};

}  // namespace beff
