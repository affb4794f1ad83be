#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "core/b_eff/graph.hpp"
#include "core/b_eff/methods.hpp"
#include "engines/b_eff/message_buffers.hpp"

namespace beff::b_eff {

/// The messages of one process in one pattern: what a transfer method moves.
struct Messages {
  MPI_Comm communicator;        ///< the pattern's topology; peers are its ranks
  std::span<const Step> steps;  ///< as many as the partners' own, or none
  const MessageBuffers* buffers;
};

/// A transfer method at work on one pattern. Every member of the pattern's communicator has one and
/// calls it alike, also when it exchanges no messages itself.
class Transfer {
 public:
  explicit Transfer(const Messages& messages) : messages_(messages) {}
  Transfer(const Transfer&) = delete;
  Transfer(Transfer&&) = delete;
  Transfer& operator=(const Transfer&) = delete;
  Transfer& operator=(Transfer&&) = delete;
  virtual ~Transfer() = default;

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

/// One sentence for a method that this MPI library does not have; empty for the others.
std::optional<std::string> why_unavailable(Method method);

/// MPI's name for "no neighbour" where a step has none.
[[nodiscard]] inline int mpi_rank(int peer) { return peer == kNoPeer ? MPI_PROC_NULL : peer; }

}  // namespace beff::b_eff
