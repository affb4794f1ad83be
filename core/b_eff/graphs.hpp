#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/benchmark.hpp"

namespace beff::b_eff {

/// How n processes are cut into rings of consecutive positions: rings of the two sizes ⌊n/k⌋ and
/// ⌊n/k⌋+1, those of even size first. Two runs of equal rings describe it in O(1) memory.
class RingLayout {
 public:
  /// Ring of a position: the ring's first position and its size.
  struct Ring {
    int first;
    int size;
  };

  /// Layout for `processes` ≥ 2 and the standard ring size 2 ≤ m ≤ processes:
  /// k = max(1, min(⌊n/m + 0.4⌋, ⌊n/2⌋)) rings; one ring for m = 4 and n ≤ 7 (IPDPS paper,
  /// section 4, second ring pattern).
  RingLayout(int processes, int standard_size);

  [[nodiscard]] int rings() const { return head_.count + tail_.count; }
  [[nodiscard]] Ring ring_of(int position) const;
  /// Messages of one iteration: two per process, one per process in a ring of two.
  [[nodiscard]] std::int64_t messages() const;
  /// All ring sizes in order; O(k) memory, for reports only.
  [[nodiscard]] std::vector<int> sizes() const;

 private:
  struct Run {
    int size;
    int count;
  };
  Run head_{};
  Run tail_{};
};

inline constexpr int kRingPatterns = 6;

/// Standard ring size of ring pattern 0…5 for n processes: 2, 4, 8, max(16, n/4), max(32, n/2), n,
/// each at most n.
int standard_ring_size(int ring_pattern, int processes);

/// Extents of a balanced grid of exactly n processes in 2 or 3 dimensions, never increasing, unused
/// dimensions 1. Among all factorisations it has the smallest first extent, then the smallest
/// second: what MPI_Dims_create asks for ("as close to each other as possible") without depending
/// on how a library answers, so that a plan needs no MPI.
std::array<int, 3> balanced_extents(int n, int dimensions);

/// Extents of the grid that the Cartesian patterns use for n processes: n is reduced until the last
/// extent exceeds 1; for fewer than 8 processes until n is even; below 4 it is taken as it is.
std::array<int, 3> pattern_grid(int n, int dimensions);

/// Stands for "no neighbour": nothing is sent or received there (MPI_PROC_NULL).
inline constexpr int kNoPeer = -1;

/// One message out and one message in, as one process sees them. All processes that exchange
/// messages in step s of an iteration do so in their own step s.
struct Step {
  int send_to;
  int receive_from;
};

/// What one process does in one iteration of a pattern, in the order of MPI_Sendrecv.
/// Peers are positions in the pattern's topology. No peer is sent to, or received from, twice.
class Exchange {
 public:
  /// Three dimensions, two ways each.
  static constexpr int kMaxSteps = 6;

  /// A message to the left and one from the right, then the way back; when both neighbours are the
  /// same process a single message each way (one MPI_Alltoallv cannot carry two to the same peer).
  void add_way_and_back(int left, int right) {
    add({.send_to = left, .receive_from = right});
    if (left != right) {
      add({.send_to = right, .receive_from = left});
    }
  }

  [[nodiscard]] std::span<const Step> steps() const {
    return {steps_.data(), static_cast<std::size_t>(count_)};
  }
  /// False for a process that the pattern leaves out.
  [[nodiscard]] bool takes_part() const { return count_ > 0; }

 private:
  void add(Step step) { steps_.at(static_cast<std::size_t>(count_++)) = step; }

  std::array<Step, kMaxSteps> steps_{};
  int count_ = 0;
};

/// The process topology whose positions a graph's peers are.
enum class Topology : std::uint8_t {
  kWorld,  ///< MPI_COMM_WORLD: position = rank
  kLine,   ///< one-dimensional, cyclic, all processes
  kPlane,  ///< two-dimensional; shape and periodicity by Graph::cartesian_*()
  kSpace,  ///< three-dimensional
};

/// Extents and periodicity of a Cartesian topology; unused dimensions have extent 1.
struct CartesianShape {
  std::array<int, 3> extents{1, 1, 1};
  bool cyclic = true;
  friend bool operator==(const CartesianShape&, const CartesianShape&) = default;
};

/// A communication graph: which process sends to which in one iteration, for a fixed number of
/// processes. O(1) memory; every process computes its own neighbours without communication.
class Graph : public InOnePlace {
 public:
  [[nodiscard]] virtual Topology topology() const = 0;
  /// Meaningful for topologies line, plane and space only.
  [[nodiscard]] virtual CartesianShape cartesian_shape() const { return {}; }
  /// The exchange of the process at `position` of the topology.
  [[nodiscard]] virtual Exchange exchange(int position) const = 0;
  /// Processes that take part.
  [[nodiscard]] virtual int processes() const = 0;
  /// Messages of all processes in one iteration.
  [[nodiscard]] virtual std::int64_t messages() const = 0;
  /// Processes that send at the same time when each process sends its messages one after the other,
  /// as a mean over the steps; the time of one message is this / (messages per second).
  [[nodiscard]] virtual double concurrent_senders() const { return processes(); }
  /// Sizes of the rings in order; empty for a graph that is no set of rings.
  [[nodiscard]] virtual std::vector<int> ring_sizes() const { return {}; }
};

using GraphPointer = std::unique_ptr<const Graph>;

/// Rings of consecutive positions on the one-dimensional cyclic topology, about `standard_size`
/// processes each (see RingLayout).
GraphPointer rings(int processes, int standard_size);

/// One ring through all processes of the world in the order of a seeded random permutation.
GraphPointer random_ring(int processes, std::uint64_t seed);

/// The same in the order that release 3.6 draws from `state`, see order_of_release_3_6(): O(n) time
/// and, while an exchange is worked out, memory.
GraphPointer release_3_6_ring(int processes, std::uint64_t state);

/// One ring in the order 0, n-1, 1, n-2, 2 …: neighbours are far apart by rank.
GraphPointer worst_cycle(int processes);

/// Processes 2k and 2k+1 pair up. In all pairs one side sends while the other receives, then the
/// way back.
GraphPointer best_bisection(int processes);

/// Process i pairs with n'-1-i, n' being n rounded down to even.
GraphPointer worst_bisection(int processes);

/// Only the first two processes, one way at a time.
GraphPointer ping_pong(int processes);

/// Neighbour exchange along some directions of a two- or three-dimensional grid. `directions` are
/// dimension numbers in 0…dimensions-1; those of extent 1 are left out. Null if none is left.
GraphPointer cartesian(int processes, int dimensions, bool cyclic,
                       const std::vector<int>& directions);

}  // namespace beff::b_eff
