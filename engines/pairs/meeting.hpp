#pragma once

#include <optional>
#include <vector>

#include "core/pairs/measure.hpp"
#include "core/pairs/plan.hpp"
#include "core/units/quantity_text.hpp"
#include "engines/common/memory/memory.hpp"
#include "engines/common/mpi/nodes.hpp"
#include "engines/common/watch/watchdog.hpp"

namespace beff::pairs {

/// A send and a receive buffer with room for some large messages, which are taken in turn so that
/// the next one does not lie in a cache. Not touched where `fill` is false: a simulator may then
/// keep those of all processes in the same memory.
class Buffers {
 public:
  /// `memory` must outlive the object. Throws std::bad_alloc.
  Buffers(BufferMemory& memory, Bytes largest, bool fill)
      : largest_(largest), buffers_(memory, whole_pages(bytes())) {
    if (fill) {
      memory.fill(send(), kByte, whole_pages(bytes()));
      memory.fill(receive(), kByte, whole_pages(bytes()));
    }
  }

  [[nodiscard]] Bytes bytes() const { return kPieces * largest_; }
  [[nodiscard]] char* send() const { return buffers_.get<0>(); }
  [[nodiscard]] char* receive() const { return buffers_.get<1>(); }
  [[nodiscard]] BufferMemory& memory() const { return buffers_.memory(); }
  /// Where message number `number` of a series begins in either.
  [[nodiscard]] Bytes piece(int number) const { return number % kPieces * largest_; }

 private:
  static constexpr Bytes kPieces = 6;
  static constexpr unsigned char kByte = 0x5a;

  Bytes largest_;
  OwnedBuffers<2> buffers_;
};

/// What a process and its partner do again and again.
struct Exchange {
  int partner = 0;
  Traffic traffic = Traffic::kBothWays;
  bool sends = true;  ///< where messages go one way
  Bytes bytes = 0;    ///< of a message; of kMessages always kShortBytes
  const Buffers* buffers = nullptr;
};

/// The first exchanges of a step in which all pairs meet at the same time.
struct Crossing {
  std::optional<Exchange> exchange;  ///< empty where this process takes no part
  Seconds first = 0;                 ///< of this process and its partner
  Seconds slowest = 0;               ///< of all
};

/// Lets pairs of units exchange messages by MPI_Sendrecv: rank i of a host with rank i of the
/// other, as many as both have and take part; or single processes.
class PairMeeting {
 public:
  /// Keeps the ranks of all hosts where the units are hosts: n numbers. `buffers` are for the large
  /// messages, `network_buffers` for those of cross(), null without it. All arguments must outlive
  /// the object. Collective over MPI_COMM_WORLD.
  PairMeeting(const Plan& plan, const Nodes& nodes, const Buffers& buffers,
              const Buffers* network_buffers, Watchdog& watchdog);

  /// All pairs at the same time. Collective over MPI_COMM_WORLD.
  RoundTimes meet(const std::vector<UnitPair>& pairs, Ways ways);
  /// For Machine::cross(): the first exchanges of all pairs, which say how many the series need.
  Crossing begin_cross(const std::vector<UnitPair>& pairs, int processes, Traffic traffic);
  /// The series.
  RoundTimes cross(const std::vector<UnitPair>& pairs, const Crossing& crossing);

  /// What this process has sent to its partners.
  [[nodiscard]] Bytes sent_bytes() const { return sent_bytes_; }

  /// The unit of each rank.
  [[nodiscard]] int unit_of(int rank) const;

 private:
  struct OwnTimes {
    double small;
    double large;
  };

  /// A process of the other unit, and whether this one's unit is the first of the two.
  struct Partner {
    int rank;
    bool first;
  };

  /// The process at this one's place in the other unit of its pair, where the first `processes` of
  /// each take part; empty where this one does not.
  [[nodiscard]] std::optional<Partner> partner_in(const std::vector<UnitPair>& pairs,
                                                  int processes) const;
  /// Calls `time` with what this process does in exchange number i, and the bytes it sends in it.
  template <class Time>
  Seconds with(const Exchange& exchange, const Time& time);
  /// Seconds of an exchange, of so many in a row.
  [[nodiscard]] Seconds timed(const Exchange& exchange, int exchanges);
  /// The second one, the first warms up; the larger of what both partners see.
  [[nodiscard]] Seconds first_time(const Exchange& exchange);
  [[nodiscard]] Seconds median_of(const Series& series, const Exchange& exchange);
  [[nodiscard]] Seconds median_time(const Exchange& exchange);
  [[nodiscard]] RoundTimes gather(const OwnTimes& mine, const std::vector<UnitPair>& pairs) const;

  const Plan* plan_;
  const Nodes* nodes_;
  const Buffers* buffers_;
  const Buffers* network_buffers_;
  Watchdog* watchdog_;
  std::vector<int> host_of_rank_;           ///< empty where units are processes
  std::vector<std::vector<int>> ranks_of_;  ///< of each host
  int rank_;
  int unit_;
  Bytes sent_bytes_ = 0;
  int place_ = 0;  ///< among the processes of its unit
};

/// Measures what copying reaches and gathers what each host's system reports; a fraction of a
/// second. The copies go from the send to the receive buffer in blocks of `block` byte, in all
/// processes at the same time; the receive buffer is zero afterwards. Nothing of a simulated
/// machine. Collective over MPI_COMM_WORLD.
Roofs measure_roofs(const Nodes& nodes, const Buffers& buffers, Bytes block);

}  // namespace beff::pairs
