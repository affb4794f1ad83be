#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/b_eff/pattern_table.hpp"
#include "core/record/result.hpp"
#include "engines/b_eff/transfer.hpp"
#include "engines/common/mpi/handles.hpp"
#include "engines/common/mpi/nodes.hpp"

namespace beff::b_eff {

/// The communicators of the process topologies, made when first needed: a handful for the whole
/// benchmark, not one per pattern. MPI may reorder the processes of a Cartesian topology.
class Topologies {
 public:
  /// The communicator whose ranks are the graph's positions; MPI_COMM_NULL for a process outside.
  /// Collective over MPI_COMM_WORLD.
  MPI_Comm communicator_of(const Graph& graph);

 private:
  struct Entry {
    CartesianShape shape;
    Communicator communicator;
  };
  std::vector<Entry> entries_;
};

/// The messages of one pattern on this process, by one method after the other. O(1) memory, so it
/// is kept from size to size; what a method needs is there for one pattern at a time.
class PatternTransfer {
 public:
  /// Collective over MPI_COMM_WORLD. All arguments must outlive the object.
  PatternTransfer(const Pattern& pattern, Topologies& topologies, const MessageBuffers& buffers,
                  AlltoallvArrays& arrays, const Nodes& nodes);

  /// Makes ready for `method`, replacing another one. Collective.
  void use(Method method);
  /// Frees what the method needs. Collective.
  void rest();

  /// True for a process whose time counts.
  [[nodiscard]] bool takes_part() const { return exchange_.takes_part(); }
  /// Messages that this process sends in an iteration.
  [[nodiscard]] std::int64_t messages_sent() const;
  /// Those of them that go to other hosts.
  [[nodiscard]] std::int64_t messages_leaving() const { return messages_leaving_; }

  /// Outside the timed window: makes ready for loop number `loop`.
  void prepare(Bytes size, std::uint64_t loop);
  /// Inside the timed window: runs `iterations` of the loop from number `first` on. Does nothing on
  /// a process outside the topology.
  void run(std::int64_t first, std::int64_t iterations) {
    if (transfer_) {
      transfer_->run(first, iterations);
    }
  }
  /// Outside the timed window: compares the first and last byte of every message of the loop that a
  /// later one has not overwritten, and spoils them so that they cannot be taken for fresh again.
  [[nodiscard]] MessageCheck check(std::int64_t iterations) const;

 private:
  const Pattern* pattern_;
  const MessageBuffers* buffers_;
  AlltoallvArrays* arrays_;
  MPI_Comm communicator_;
  Exchange exchange_;
  std::vector<int> source_world_ranks_;  ///< of each step; kNoPeer where nothing is received
  std::int64_t messages_leaving_;
  std::optional<Method> method_;
  std::unique_ptr<Transfer> transfer_;  ///< of method_; none on a process outside the topology
};

}  // namespace beff::b_eff
