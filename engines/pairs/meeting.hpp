#pragma once

#include <vector>

#include "core/pairs/machine.hpp"
#include "core/pairs/plan.hpp"
#include "engines/common/mpi/nodes.hpp"
#include "engines/common/watch/watchdog.hpp"
#include "engines/pairs/buffers.hpp"

namespace beff::pairs {

/// Lets pairs of units exchange messages by MPI_Sendrecv: rank i of a host with rank i of the
/// other, as many as both have and take part; or single processes.
class PairMeeting {
 public:
  /// Keeps the ranks of all hosts where the units are hosts: n numbers. All arguments must outlive
  /// the object. Collective over MPI_COMM_WORLD.
  PairMeeting(const Plan& plan, const Nodes& nodes, const Buffers& buffers, Watchdog& watchdog);

  /// All pairs at the same time. Collective over MPI_COMM_WORLD.
  RoundTimes meet(const std::vector<UnitPair>& pairs, Ways ways);

  /// What this process has sent to its partners.
  [[nodiscard]] Bytes sent_bytes() const { return sent_bytes_; }

  /// The unit of each rank.
  [[nodiscard]] int unit_of(int rank) const;

 private:
  struct OwnTimes {
    double small;
    double large;
  };

  [[nodiscard]] int partner_rank(const UnitPair& pair) const;
  [[nodiscard]] double exchange(int partner, Bytes size);
  [[nodiscard]] double one_way(int partner, bool sends);
  template <class Exchange>
  [[nodiscard]] double median_time(int partner, Bytes sends, const Exchange& exchange);
  [[nodiscard]] RoundTimes gather(const OwnTimes& own, const std::vector<UnitPair>& pairs) const;

  const Plan* plan_;
  const Nodes* nodes_;
  const Buffers* buffers_;
  Watchdog* watchdog_;
  std::vector<int> host_of_rank_;           ///< empty where units are processes
  std::vector<std::vector<int>> ranks_of_;  ///< of each host
  int rank_;
  int unit_;
  Bytes sent_bytes_ = 0;
  int place_ = 0;  ///< among the processes of its unit
};

}  // namespace beff::pairs
