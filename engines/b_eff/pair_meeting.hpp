#pragma once

#include <cstdint>
#include <vector>

#include "core/b_eff/machine.hpp"
#include "core/b_eff/pair_plan.hpp"
#include "engines/b_eff/message_buffers.hpp"
#include "engines/common/nodes.hpp"

namespace beff::b_eff {

/// Lets pairs of units exchange messages by MPI_Sendrecv: rank i of a host with rank i of the
/// other, as many as both have; or single processes.
class PairMeeting {
 public:
  /// Keeps the host of each rank where the units are hosts: n numbers. All arguments must outlive
  /// the object. Collective over MPI_COMM_WORLD.
  PairMeeting(const PairPlan& plan, const Nodes& nodes, const MessageBuffers& buffers);

  /// All pairs at the same time; Meeting::stop is not set. Collective over MPI_COMM_WORLD.
  Meeting meet(const std::vector<UnitPair>& pairs);

 private:
  struct OwnTimes {
    double small;
    double large;
  };

  [[nodiscard]] int partner_rank(const std::vector<UnitPair>& pairs) const;
  [[nodiscard]] int rank_on(int host) const;
  [[nodiscard]] double exchange(int partner, Bytes size);
  [[nodiscard]] std::vector<PairTimes> gather(const OwnTimes& own,
                                              const std::vector<UnitPair>& pairs) const;

  const PairPlan* plan_;
  const Nodes* nodes_;
  const MessageBuffers* buffers_;
  std::vector<int> host_of_rank_;  ///< empty where units are processes
  int rank_;
  int unit_;
  int place_ = 0;  ///< among the processes of its unit
  std::uint64_t number_ = 0;
};

}  // namespace beff::b_eff
