#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engines/b_eff/transfer.hpp"
#include "engines/common/mpi/handles.hpp"
#include "engines/common/mpi/launch.hpp"

namespace beff::b_eff {
namespace {

/// MPI_Sendrecv; where one way is used MPI_Send or MPI_Recv.
class SendrecvTransfer final : public Transfer {
 public:
  using Transfer::Transfer;

  void run(std::int64_t first, std::int64_t iterations) override {
    const auto steps = messages().steps;
    const MPI_Comm communicator = messages().communicator;
    const int bytes = size();
    auto out = send_cursor(first);
    auto in = receive_cursor(first);
    for (std::int64_t i = 0; i < iterations; ++i) {
      const char* send = out.next();
      char* receive = in.next();
      for (std::size_t s = 0; s < steps.size(); ++s) {
        const auto [to, from] = steps[s];
        if (from == kNoPeer) {
          MPI_Send(send + piece(s), bytes, MPI_BYTE, to, 0, communicator);
        } else if (to == kNoPeer) {
          MPI_Recv(receive + piece(s), bytes, MPI_BYTE, from, 0, communicator, MPI_STATUS_IGNORE);
        } else {
          MPI_Sendrecv(send + piece(s), bytes, MPI_BYTE, to, 0, receive + piece(s), bytes, MPI_BYTE,
                       from, 0, communicator, MPI_STATUS_IGNORE);
        }
      }
    }
  }
};

/// All messages in one MPI_Alltoallv, with its O(n) memory.
class AlltoallvTransfer final : public Transfer {
 public:
  explicit AlltoallvTransfer(const Messages& messages) : Transfer(messages) {
    int members = 0;
    MPI_Comm_size(messages.communicator, &members);
    auto& [send_counts, send_offsets, receive_counts, receive_offsets] = *messages.arrays;
    for (auto* array : {&send_counts, &send_offsets, &receive_counts, &receive_offsets}) {
      array->resize(std::max(array->size(), static_cast<std::size_t>(members)));
    }
    send_counts_ = send_counts.data();
    send_offsets_ = send_offsets.data();
    receive_counts_ = receive_counts.data();
    receive_offsets_ = receive_offsets.data();
  }
  AlltoallvTransfer(const AlltoallvTransfer&) = delete;
  AlltoallvTransfer& operator=(const AlltoallvTransfer&) = delete;
  ~AlltoallvTransfer() override {
    for (const auto& step : messages().steps) {
      set(send_counts_, send_offsets_, step.send_to, 0, 0);
      set(receive_counts_, receive_offsets_, step.receive_from, 0, 0);
    }
  }

  void run(std::int64_t first, std::int64_t iterations) override {
    const MPI_Comm communicator = messages().communicator;
    auto out = send_cursor(first);
    auto in = receive_cursor(first);
    for (std::int64_t i = 0; i < iterations; ++i) {
      MPI_Alltoallv(out.next(), send_counts_, send_offsets_, MPI_BYTE, in.next(), receive_counts_,
                    receive_offsets_, MPI_BYTE, communicator);
    }
  }

 private:
  void arrange(BlockLayout& send, BlockLayout& receive) override {
    const auto steps = messages().steps;
    for (std::size_t s = 0; s < steps.size(); ++s) {
      const auto piece = static_cast<Bytes>(s);
      set(send_counts_, send_offsets_, steps[s].send_to, size(), piece * send.stride);
      set(receive_counts_, receive_offsets_, steps[s].receive_from, size(), piece * receive.stride);
    }
  }

  static void set(int* counts, int* offsets, int peer, int count, Bytes offset) {
    if (peer != kNoPeer) {
      counts[peer] = count;
      offsets[peer] = static_cast<int>(offset);
    }
  }

  int* send_counts_;
  int* send_offsets_;
  int* receive_counts_;
  int* receive_offsets_;
};

/// Receive and send of each step in turn, as release 3.6 posts them.
class NonblockingTransfer final : public Transfer {
 public:
  using Transfer::Transfer;

  void run(std::int64_t first, std::int64_t iterations) override {
    const auto steps = messages().steps;
    const MPI_Comm communicator = messages().communicator;
    const int bytes = size();
    std::array<MPI_Request, std::size_t{2} * Exchange::kMaxSteps> requests{};
    auto out = send_cursor(first);
    auto in = receive_cursor(first);
    for (std::int64_t i = 0; i < iterations; ++i) {
      const char* send = out.next();
      char* receive = in.next();
      MPI_Request* request = requests.data();
      for (std::size_t s = 0; s < steps.size(); ++s) {
        const auto [to, from] = steps[s];
        const int tag = static_cast<int>(s);
        if (from != kNoPeer) {
          MPI_Irecv(receive + piece(s), bytes, MPI_BYTE, from, tag, communicator, request++);
        }
        if (to != kNoPeer) {
          MPI_Isend(send + piece(s), bytes, MPI_BYTE, to, tag, communicator, request++);
        }
      }
      MPI_Waitall(static_cast<int>(request - requests.data()), requests.data(),
                  MPI_STATUSES_IGNORE);
    }
  }
};

/// The steps that have a neighbour on one side: ranks, and counts and offsets in a block.
struct Neighbours {
  std::vector<int> ranks;
  std::vector<std::size_t> steps;
  std::vector<int> counts;
  std::vector<int> offsets;

  void add(int peer, std::size_t step) {
    if (peer != kNoPeer) {
      ranks.push_back(peer);
      steps.push_back(step);
    }
  }
  [[nodiscard]] int count() const { return static_cast<int>(ranks.size()); }
  void arrange(int size, Bytes stride) {
    counts.assign(ranks.size(), size);
    offsets.clear();
    for (const auto step : steps) {
      offsets.push_back(static_cast<int>(static_cast<Bytes>(step) * stride));
    }
  }
};

/// The same processes in the same order. What is derived from a Cartesian communicator goes on
/// counting Cartesian neighbours in Open MPI 5.0, so this one is made from the world.
Communicator without_topology(MPI_Comm communicator) {
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Comm_group(communicator, &group);
  MPI_Comm plain = MPI_COMM_NULL;
  MPI_Comm_create_group(MPI_COMM_WORLD, group, 0, &plain);
  MPI_Group_free(&group);
  return Communicator(plain);
}

/// MPI_Neighbor_alltoallv on a distributed graph of the pattern.
class NeighborAlltoallvTransfer final : public Transfer {
 public:
  explicit NeighborAlltoallvTransfer(const Messages& messages) : Transfer(messages) {
    for (std::size_t s = 0; s < messages.steps.size(); ++s) {
      sources_.add(messages.steps[s].receive_from, s);
      destinations_.add(messages.steps[s].send_to, s);
    }
    const Communicator plain = without_topology(messages.communicator);
    MPI_Comm graph = MPI_COMM_NULL;
    MPI_Dist_graph_create_adjacent(
        plain.get(), sources_.count(), sources_.ranks.data(), MPI_UNWEIGHTED, destinations_.count(),
        destinations_.ranks.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    graph_ = Communicator(graph);
  }

  void run(std::int64_t first, std::int64_t iterations) override {
    auto out = send_cursor(first);
    auto in = receive_cursor(first);
    for (std::int64_t i = 0; i < iterations; ++i) {
      MPI_Neighbor_alltoallv(out.next(), destinations_.counts.data(), destinations_.offsets.data(),
                             MPI_BYTE, in.next(), sources_.counts.data(), sources_.offsets.data(),
                             MPI_BYTE, graph_.get());
    }
  }

 private:
  void arrange(BlockLayout& send, BlockLayout& receive) override {
    destinations_.arrange(size(), send.stride);
    sources_.arrange(size(), receive.stride);
  }

  Neighbours sources_;
  Neighbours destinations_;
  Communicator graph_;
};

/// A persistent request is bound to its memory, so the requests of several blocks are made before
/// the loop, which goes through them in turn.
class PersistentTransfer final : public Transfer {
 public:
  using Transfer::Transfer;
  PersistentTransfer(const PersistentTransfer&) = delete;
  PersistentTransfer& operator=(const PersistentTransfer&) = delete;
  ~PersistentTransfer() override { free_requests(); }

  void run(std::int64_t first, std::int64_t iterations) override {
    if (requests_.empty()) {
      return;  // an idle process: Open MPI refuses to start no requests
    }
    const int per_block = per_block_;
    MPI_Request* const begin = requests_.data();
    MPI_Request* const behind = begin + requests_.size();
    const auto blocks = static_cast<std::int64_t>(requests_.size()) / per_block;
    MPI_Request* block = begin + (first % blocks) * per_block;
    for (std::int64_t i = 0; i < iterations; ++i) {
      MPI_Startall(per_block, block);
      MPI_Waitall(per_block, block, MPI_STATUSES_IGNORE);
      block += per_block;
      block = block == behind ? begin : block;
    }
  }

 private:
  static constexpr Bytes kBlocks = 16;

  void arrange(BlockLayout& send, BlockLayout& receive) override {
    free_requests();
    for (auto* layout : {&send, &receive}) {
      layout->start = 0;
      layout->span = std::min(layout->span / layout->block, kBlocks) * layout->block;
    }
    const auto steps = messages().steps;
    const MPI_Comm communicator = messages().communicator;
    const auto blocks = send.span / send.block;
    for (Bytes b = 0; b < blocks; ++b) {
      char* const out = messages().buffers->send() + b * send.block;
      char* const in = messages().buffers->receive() + b * receive.block;
      for (std::size_t s = 0; s < steps.size(); ++s) {
        const auto tag = static_cast<int>(s);
        if (steps[s].receive_from != kNoPeer) {
          MPI_Recv_init(in + tag * receive.stride, size(), MPI_BYTE, steps[s].receive_from, tag,
                        communicator, &requests_.emplace_back());
        }
        if (steps[s].send_to != kNoPeer) {
          MPI_Send_init(out + tag * send.stride, size(), MPI_BYTE, steps[s].send_to, tag,
                        communicator, &requests_.emplace_back());
        }
      }
    }
    per_block_ = static_cast<int>(static_cast<Bytes>(requests_.size()) / blocks);
  }

  void free_requests() {
    for (auto& request : requests_) {
      MPI_Request_free(&request);
    }
    requests_.clear();
  }

  std::vector<MPI_Request> requests_;
  int per_block_ = 0;
};

/// Every process exposes its receive buffer. A sender knows where its message belongs, because the
/// receiver's layout is the same as its own.
class PutFenceTransfer final : public Transfer {
 public:
  explicit PutFenceTransfer(const Messages& messages) : Transfer(messages) {
    MPI_Win_create(messages.buffers->receive(), static_cast<MPI_Aint>(messages.buffers->bytes()), 1,
                   MPI_INFO_NULL, messages.communicator, &window_);
    if (window_ != MPI_WIN_NULL) {
      NotedErrors::include(window_);
    }
  }
  PutFenceTransfer(const PutFenceTransfer&) = delete;
  PutFenceTransfer& operator=(const PutFenceTransfer&) = delete;
  ~PutFenceTransfer() override { MPI_Win_free(&window_); }

  void run(std::int64_t first, std::int64_t iterations) override {
    const auto steps = messages().steps;
    const int bytes = size();
    const char* const receive_buffer = messages().buffers->receive();
    auto out = send_cursor(first);
    auto in = receive_cursor(first);
    MPI_Win_fence(0, window_);
    for (std::int64_t i = 0; i < iterations; ++i) {
      const char* send = out.next();
      const auto target = static_cast<MPI_Aint>(in.next() - receive_buffer);
      for (std::size_t s = 0; s < steps.size(); ++s) {
        MPI_Put(send + piece(s), bytes, MPI_BYTE, mpi_rank(steps[s].send_to),
                target + static_cast<MPI_Aint>(piece(s)), bytes, MPI_BYTE, window_);
      }
      MPI_Win_fence(0, window_);
    }
  }

 private:
  MPI_Win window_ = MPI_WIN_NULL;
};

template <class Made>
std::unique_ptr<Transfer> make(const Messages& messages) {
  return std::make_unique<Made>(messages);
}

struct TransferRow {
  Method method;
  std::unique_ptr<Transfer> (*make)(const Messages&);
  std::string_view making_call{};
};

constexpr std::array kTransfers{
    TransferRow{Method::kSendrecv, make<SendrecvTransfer>},
    TransferRow{Method::kAlltoallv, make<AlltoallvTransfer>},
    TransferRow{Method::kNonblocking, make<NonblockingTransfer>},
    TransferRow{Method::kNeighborAlltoallv, make<NeighborAlltoallvTransfer>,
                "MPI_Dist_graph_create_adjacent"},
    TransferRow{Method::kPersistent, make<PersistentTransfer>},
    TransferRow{Method::kPutFence, make<PutFenceTransfer>, "MPI_Win_create"},
};
static_assert(std::ranges::equal(kTransfers, kMethods, {}, &TransferRow::method,
                                 &MethodRow::method));

}  // namespace

std::unique_ptr<Transfer> make_transfer(Method method, const Messages& messages) {
  return kTransfers.at(static_cast<std::size_t>(method)).make(messages);
}

std::string_view making_call(Method method) {
  return kTransfers.at(static_cast<std::size_t>(method)).making_call;
}

std::optional<std::string> why_unavailable(Method method) {
  if (kSimulated && method == Method::kNeighborAlltoallv) {
    return "SimGrid's SMPI has no neighbourhood collectives; name the other methods";
  }
  return std::nullopt;
}

}  // namespace beff::b_eff
