#include "engines/b_eff/transfer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <tuple>
#include <vector>

#include "core/random_permutation.hpp"
#include "engines/common/memory/memory.hpp"

namespace beff::b_eff {
namespace {

constexpr Bytes kPieceAlignment = 8;
constexpr Bytes kStartAlignment = 64;

/// Eight bytes of content; word w of a rank's send buffer.
constexpr std::uint64_t content_word(int rank, std::uint64_t word) {
  return splitmix(static_cast<std::uint64_t>(rank), word);
}

}  // namespace

Bytes BlockLayout::block_at(std::int64_t iteration) const {
  const std::int64_t from_start = (span - start) / block;
  if (iteration < from_start) {
    return start + iteration * block;
  }
  return (iteration - from_start) % (span / block) * block;
}

std::int64_t BlockLayout::intact_blocks() const {
  const std::int64_t blocks = span / block;
  return start == 0 ? blocks : std::max<std::int64_t>(1, blocks - 1);
}

MessageBuffers::MessageBuffers(BufferMemory& memory, Bytes lmax, int rank, bool fill)
    : bytes_(bytes_for(lmax)), buffers_(memory, bytes_) {
  if (!fill) {
    return;
  }
  constexpr Bytes kWords = 8192;
  std::vector<std::uint64_t> words(kWords);
  for (Bytes offset = 0; offset < bytes_; offset += kWords * kPieceAlignment) {
    for (Bytes word = 0; word < kWords; ++word) {
      words[static_cast<std::size_t>(word)] =
          content_word(rank, static_cast<std::uint64_t>(offset / kPieceAlignment + word));
    }
    memory.write(send() + offset, words.data(),
                 std::min(kWords * kPieceAlignment, bytes_ - offset));
  }
  memory.fill(receive(), 0, bytes_);
}

char MessageBuffers::content(int rank, Bytes offset) {
  const auto word = content_word(rank, static_cast<std::uint64_t>(offset / kPieceAlignment));
  char byte = 0;
  std::memcpy(&byte, reinterpret_cast<const char*>(&word) + offset % kPieceAlignment, 1);
  return byte;
}

BlockLayout MessageBuffers::layout(Bytes size, int steps, std::uint64_t place) const {
  const Bytes stride = (size + kPieceAlignment - 1) / kPieceAlignment * kPieceAlignment;
  const Bytes block = stride * steps;
  const auto starts = static_cast<std::uint64_t>((bytes_ - block) / kStartAlignment + 1);
  return {.stride = stride,
          .block = block,
          .span = bytes_,
          .start = static_cast<Bytes>(splitmix(place) % starts) * kStartAlignment};
}

BlockLayout MessageBuffers::send_layout(Bytes size, int steps, std::uint64_t loop) const {
  return layout(size, steps, 2 * loop);
}

BlockLayout MessageBuffers::receive_layout(Bytes size, int steps, std::uint64_t loop) const {
  return layout(size, steps, 2 * loop + 1);
}

void Transfer::prepare(Bytes size, std::uint64_t loop) {
  size_ = static_cast<int>(size);
  const int steps = std::max(1, static_cast<int>(messages_.steps.size()));
  send_layout_ = messages_.buffers->send_layout(size, steps, loop);
  receive_layout_ = messages_.buffers->receive_layout(size, steps, loop);
  arrange(send_layout_, receive_layout_);
}

namespace {

int dimensions_of(Topology topology) {
  switch (topology) {
    case Topology::kPlane:
      return 2;
    case Topology::kSpace:
      return 3;
    default:
      return 1;
  }
}

MPI_Comm make_cartesian(int dimensions, const CartesianShape& shape) {
  std::array<int, 3> periods{};
  periods.fill(shape.cyclic ? 1 : 0);
  MPI_Comm communicator = MPI_COMM_NULL;
  MPI_Cart_create(MPI_COMM_WORLD, dimensions, shape.extents.data(), periods.data(), 1,
                  &communicator);
  return communicator;
}

Exchange exchange_of(const Graph& graph, MPI_Comm communicator) {
  if (communicator == MPI_COMM_NULL) {
    return {};
  }
  return graph.exchange(rank_in(communicator));
}

/// The ranks in another communicator; MPI_UNDEFINED of processes that are not in it.
std::vector<int> translated(const std::vector<int>& ranks, MPI_Comm from, MPI_Comm to) {
  if (ranks.empty()) {
    return {};
  }
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Group other = MPI_GROUP_NULL;
  MPI_Comm_group(from, &group);
  MPI_Comm_group(to, &other);
  std::vector<int> other_ranks(ranks.size());
  MPI_Group_translate_ranks(group, static_cast<int>(ranks.size()), ranks.data(), other,
                            other_ranks.data());
  MPI_Group_free(&group);
  MPI_Group_free(&other);
  return other_ranks;
}

std::vector<int> source_ranks_in_world(const Exchange& exchange, MPI_Comm communicator) {
  std::vector<int> sources;
  for (const auto& step : exchange.steps()) {
    sources.push_back(mpi_rank(step.receive_from));
  }
  sources = translated(sources, communicator, MPI_COMM_WORLD);
  std::ranges::replace(sources, MPI_PROC_NULL, kNoPeer);
  return sources;
}

std::int64_t count_leaving(const Exchange& exchange, MPI_Comm communicator, const Nodes& nodes) {
  std::vector<int> receivers;
  for (const auto& step : exchange.steps()) {
    receivers.push_back(mpi_rank(step.send_to));
  }
  return std::ranges::count(translated(receivers, communicator, nodes.local()), MPI_UNDEFINED);
}

}  // namespace

MPI_Comm Topologies::communicator_of(const Graph& graph) {
  if (graph.topology() == Topology::kWorld) {
    return MPI_COMM_WORLD;
  }
  const CartesianShape shape = graph.cartesian_shape();
  auto entry = std::ranges::find(entries_, shape, &Entry::shape);
  if (entry == entries_.end()) {
    const int dimensions = dimensions_of(graph.topology());
    entries_.push_back(
        {.shape = shape, .communicator = Communicator(make_cartesian(dimensions, shape))});
    entry = std::prev(entries_.end());
  }
  return entry->communicator.get();
}

PatternTransfer::PatternTransfer(const Pattern& pattern, Topologies& topologies,
                                 const MessageBuffers& buffers, AlltoallvArrays& arrays,
                                 const Nodes& nodes)
    : pattern_(&pattern),
      buffers_(&buffers),
      arrays_(&arrays),
      communicator_(topologies.communicator_of(*pattern.graph)),
      exchange_(exchange_of(*pattern.graph, communicator_)),
      source_world_ranks_(source_ranks_in_world(exchange_, communicator_)),
      messages_leaving_(count_leaving(exchange_, communicator_, nodes)) {}

void PatternTransfer::use(Method method) {
  if (method_ == method) {
    return;
  }
  rest();
  if (communicator_ != MPI_COMM_NULL) {
    transfer_ = make_transfer(method, {.communicator = communicator_,
                                       .steps = exchange_.steps(),
                                       .buffers = buffers_,
                                       .arrays = arrays_});
  }
  method_ = method;
}

void PatternTransfer::rest() {
  transfer_.reset();
  method_.reset();
}

void PatternTransfer::abandon() {
  std::ignore = transfer_.release();
  method_.reset();
}

std::int64_t PatternTransfer::messages_sent() const {
  return std::ranges::count_if(exchange_.steps(),
                               [](const Step& step) { return step.send_to != kNoPeer; });
}

void PatternTransfer::prepare(Bytes size, std::uint64_t loop) {
  if (transfer_) {
    transfer_->prepare(size, loop);
  }
}

MessageCheck PatternTransfer::check(std::int64_t iterations) const {
  MessageCheck check;
  if (!transfer_) {
    return check;
  }
  auto& memory = buffers_->memory();
  const auto& sent = transfer_->send_layout();
  const auto& received = transfer_->receive_layout();
  const auto steps = std::ssize(source_world_ranks_);
  const Bytes last_byte = transfer_->size() - 1;
  // what lies one behind the other is copied at once: a device takes long for each copy
  std::int64_t blocks = 0;
  for (auto i = iterations - std::min(iterations, received.intact_blocks());
       i < iterations && steps > 0; i += blocks) {
    const Bytes begin = received.block_at(i);
    blocks = std::min(iterations - i, (received.span - begin) / received.block);
    char* const messages = buffers_->receive() + begin;
    std::vector<char> firsts(static_cast<std::size_t>(blocks * steps));
    std::vector<char> lasts(firsts.size());
    memory.read_column(firsts.data(), messages, received.stride, blocks * steps);
    memory.read_column(lasts.data(), messages + last_byte, received.stride, blocks * steps);
    for (std::size_t m = 0; m < firsts.size(); ++m) {
      const auto step = static_cast<std::int64_t>(m) % steps;
      const int source = source_world_ranks_[static_cast<std::size_t>(step)];
      if (source == kNoPeer) {
        continue;
      }
      const auto block = i + static_cast<std::int64_t>(m) / steps;
      const Bytes from = sent.block_at(block) + step * sent.stride;
      const Ends expected{.first = MessageBuffers::content(source, from),
                          .last = MessageBuffers::content(source, from + last_byte)};
      const Ends actual{.first = firsts[m], .last = lasts[m]};
      ++check.messages_checked;
      if (actual != expected) {
        ++check.wrong_messages;
        if (!check.first_error) {
          check.first_error = fmt::format(
              "pattern {} ({}), {} byte from rank {}: first byte {} instead of {}, last byte {} "
              "instead of {}",
              pattern_->id, pattern_->name, transfer_->size(), source, int{actual.first},
              int{expected.first}, int{actual.last}, int{expected.last});
        }
      }
      firsts[m] = static_cast<char>(~actual.first);
      lasts[m] = static_cast<char>(~expected.last);
    }
    memory.write_column(messages, firsts.data(), received.stride, blocks * steps);
    memory.write_column(messages + last_byte, lasts.data(), received.stride, blocks * steps);
  }
  return check;
}

}  // namespace beff::b_eff
