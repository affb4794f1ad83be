#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/b_eff/graphs.hpp"
#include "core/b_eff/pattern_table.hpp"
#include "core/record/result.hpp"
#include "core/units/quantity_text.hpp"
#include "engines/common/memory/memory.hpp"
#include "engines/common/mpi/handles.hpp"
#include "engines/common/mpi/nodes.hpp"

namespace beff::b_eff {

/// Where the messages of one loop lie in a buffer. An iteration uses one block, its steps the
/// pieces of the block; blocks follow each other from `start`, then again and again from the
/// buffer's begin. All processes that exchange messages have the same layout, so each knows the
/// others' offsets.
struct BlockLayout {
  Bytes stride;  ///< from one piece to the next: the message size rounded up to a multiple of 8
  Bytes block;   ///< stride · steps of an iteration
  Bytes span;    ///< bytes of the buffer in use
  Bytes start;   ///< offset of the first iteration's block

  /// Offset of the block of iteration 0, 1, 2 …
  [[nodiscard]] Bytes block_at(std::int64_t iteration) const;
  /// How many of the last blocks of a loop have not been overwritten by later ones.
  [[nodiscard]] std::int64_t intact_blocks() const;
};

/// Hands out the blocks of one buffer, one per iteration, inside the timed window.
class BlockCursor {
 public:
  /// Begins with the block of iteration `first`.
  BlockCursor(char* buffer, const BlockLayout& layout, std::int64_t first)
      : begin_(buffer),
        next_(buffer + layout.block_at(first)),
        last_(buffer + (layout.span - layout.block)),
        block_(layout.block) {}

  char* next() {
    char* const block = next_;
    next_ = next_ + block_ <= last_ ? next_ + block_ : begin_;
    return block;
  }

 private:
  char* begin_;
  char* next_;
  char* last_;
  std::ptrdiff_t block_;
};

/// The send and the receive buffer of a process, each much larger than the largest message, so that
/// the next message is not served from a cache (definition: 6·(L_max + 16) byte).
class MessageBuffers {
 public:
  /// Bytes of one buffer.
  static constexpr Bytes bytes_for(Bytes lmax) { return kPieces * (lmax + kSlack); }

  /// Fills the send buffer with content that depends on `rank` and position. Without `fill` no byte
  /// is touched: a simulator may then keep the buffers of all processes in the same memory.
  /// `memory` must outlive the object. Throws std::bad_alloc.
  MessageBuffers(BufferMemory& memory, Bytes lmax, int rank, bool fill);

  [[nodiscard]] char* send() const { return buffers_.get<0>(); }
  [[nodiscard]] char* receive() const { return buffers_.get<1>(); }
  [[nodiscard]] BufferMemory& memory() const { return buffers_.memory(); }
  [[nodiscard]] Bytes bytes() const { return bytes_; }

  /// Layouts of loop number `loop` in the send and in the receive buffer. They start at different
  /// places from loop to loop and from each other, so that stale data is not taken for fresh.
  [[nodiscard]] BlockLayout send_layout(Bytes size, int steps, std::uint64_t loop) const;
  [[nodiscard]] BlockLayout receive_layout(Bytes size, int steps, std::uint64_t loop) const;

  /// The byte at `offset` of the send buffer of `rank`.
  static char content(int rank, Bytes offset);

 private:
  static constexpr Bytes kPieces = 6;
  static constexpr Bytes kSlack = 16;

  [[nodiscard]] BlockLayout layout(Bytes size, int steps, std::uint64_t place) const;

  Bytes bytes_;
  OwnedBuffers<2> buffers_;
};

/// Counts and offsets for MPI_Alltoallv, one of each for every process of the communicator: the
/// O(n) memory of the benchmark, so it is allocated once. All zero where no transfer uses it.
struct AlltoallvArrays {
  std::vector<int> send_counts;
  std::vector<int> send_offsets;
  std::vector<int> receive_counts;
  std::vector<int> receive_offsets;
};

/// The messages of one process in one pattern: what a transfer method moves.
struct Messages {
  MPI_Comm communicator;        ///< the pattern's topology; peers are its ranks
  std::span<const Step> steps;  ///< as many as the partners' own, or none
  const MessageBuffers* buffers;
  AlltoallvArrays* arrays;
};

/// A transfer method at work on one pattern. Every member of the pattern's communicator has one and
/// calls it alike, also when it exchanges no messages itself.
class Transfer : public InOnePlace {
 public:
  explicit Transfer(const Messages& messages) : messages_(messages) {}

  /// Makes ready for loop number `loop` with messages of `size` bytes; outside the timed window.
  void prepare(Bytes size, std::uint64_t loop);

  /// Iterations `first` and so many more of the loop, each all messages of the pattern: nothing but
  /// the method's MPI calls and the step to the next block.
  virtual void run(std::int64_t first, std::int64_t iterations) = 0;

  [[nodiscard]] const Messages& messages() const { return messages_; }
  [[nodiscard]] const BlockLayout& send_layout() const { return send_layout_; }
  [[nodiscard]] const BlockLayout& receive_layout() const { return receive_layout_; }
  [[nodiscard]] int size() const { return size_; }

 protected:
  /// Lets a method choose other layouts or build what depends on size and layout.
  virtual void arrange(BlockLayout& /*send*/, BlockLayout& /*receive*/) {}

  [[nodiscard]] BlockCursor send_cursor(std::int64_t first) const {
    return {messages_.buffers->send(), send_layout_, first};
  }
  [[nodiscard]] BlockCursor receive_cursor(std::int64_t first) const {
    return {messages_.buffers->receive(), receive_layout_, first};
  }
  /// Offset of step s in a block.
  [[nodiscard]] Bytes piece(std::size_t step) const {
    return static_cast<Bytes>(step) * send_layout_.stride;
  }

 private:
  Messages messages_;
  BlockLayout send_layout_{};
  BlockLayout receive_layout_{};
  int size_ = 0;
};

/// The transfer for a method. Collective over the pattern's communicator.
std::unique_ptr<Transfer> make_transfer(Method method, const Messages& messages);

/// The call by which a method makes what it needs; empty where it makes nothing.
std::string_view making_call(Method method);

/// One sentence for a method that this MPI library does not have; empty for the others.
std::optional<std::string> why_unavailable(Method method);

/// MPI's name for "no neighbour" where a step has none.
[[nodiscard]] inline int mpi_rank(int peer) { return peer == kNoPeer ? MPI_PROC_NULL : peer; }

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
  /// Leaves to MPI_Finalize what the method needs, as some process may not have it.
  void abandon();

  [[nodiscard]] MPI_Comm communicator() const { return communicator_; }
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
