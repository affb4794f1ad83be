#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/b_eff/pattern_table.hpp"
#include "core/b_eff/sample.hpp"
#include "engines/b_eff/message_buffers.hpp"
#include "engines/b_eff/topologies.hpp"
#include "engines/b_eff/transfer.hpp"

namespace beff::b_eff {

/// One pattern as this process runs it with one method after the other.
class PatternRun {
 public:
  /// Collective over MPI_COMM_WORLD. All arguments must outlive the object.
  PatternRun(const Pattern& pattern, Topologies& topologies, const MessageBuffers& buffers);

  /// Makes ready for `method`, replacing the one before. Collective.
  void use(Method method);

  /// True for a process whose time counts.
  [[nodiscard]] bool takes_part() const { return exchange_.takes_part(); }
  /// Messages that this process sends in an iteration.
  [[nodiscard]] std::int64_t messages_sent() const;

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
  void check(std::int64_t iterations, DataCheck& check) const;

 private:
  const Pattern* pattern_;
  const MessageBuffers* buffers_;
  MPI_Comm communicator_;
  Exchange exchange_;
  std::vector<int> source_world_ranks_;  ///< of each step; kNoPeer where nothing is received
  std::unique_ptr<Transfer> transfer_;
};

}  // namespace beff::b_eff
