// What the harness adds to each message: the engine's transfers against hand-written loops of the
// same MPI calls, 1 byte, two processes, alternating in one run.
// Run: mpiexec -n 2 harness_cost [pairs]

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <vector>

#include "core/b_eff/pattern_table.hpp"
#include "engines/b_eff/transfer.hpp"
#include "engines/common/mpi/launch.hpp"

namespace {

using beff::b_eff::Method;

constexpr std::int64_t kIterations = 5000;

/// The memory of the hand-written loops: like the benchmark's, each message uses the next 8 bytes,
/// and the next loop goes on where memory has not been touched for long.
constexpr std::size_t kBytes = std::size_t{1} << 24U;
constexpr std::size_t kStride = 8;
std::vector<char> out(kBytes, 1);
std::vector<char> in(kBytes, 0);

std::size_t at = 0;

void step() { at = (at + kStride) % kBytes; }

void bare_sendrecv(int peer) {
  for (std::int64_t i = 0; i < kIterations; ++i, step()) {
    MPI_Sendrecv(&out[at], 1, MPI_BYTE, peer, 0, &in[at], 1, MPI_BYTE, peer, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  }
}

void bare_alltoallv(int peer) {
  std::array<int, 2> counts{};
  const std::array<int, 2> offsets{};
  counts.at(static_cast<std::size_t>(peer)) = 1;
  for (std::int64_t i = 0; i < kIterations; ++i, step()) {
    MPI_Alltoallv(&out[at], counts.data(), offsets.data(), MPI_BYTE, &in[at], counts.data(),
                  offsets.data(), MPI_BYTE, MPI_COMM_WORLD);
  }
}

void bare_nonblocking(int peer) {
  std::array<MPI_Request, 2> requests{};
  for (std::int64_t i = 0; i < kIterations; ++i, step()) {
    MPI_Irecv(&in[at], 1, MPI_BYTE, peer, 0, MPI_COMM_WORLD, requests.data());
    MPI_Isend(&out[at], 1, MPI_BYTE, peer, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
  }
}

template <class Loop>
double seconds(const Loop& loop) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  loop();
  double mine = MPI_Wtime() - begin;
  double slowest = mine;
  MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return slowest;
}

struct Row {
  Method method;
  void (*bare)(int peer);
};

constexpr std::array kRows{
    Row{Method::kSendrecv, bare_sendrecv},
    Row{Method::kAlltoallv, bare_alltoallv},
    Row{Method::kNonblocking, bare_nonblocking},
};

/// Prints a line for each pair of loops: method, nanoseconds of an iteration by hand, and ours.
void compare(const Row& row, beff::b_eff::PatternTransfer& transfer, int pairs, int rank) {
  constexpr double kNanoseconds = 1e9 / static_cast<double>(kIterations);
  transfer.use(row.method);
  for (int pair = 0; pair < pairs; ++pair) {
    transfer.prepare(1, static_cast<std::uint64_t>(pair));
    const double own = seconds([&] { transfer.run(0, kIterations); });
    const double bare = seconds([&] { row.bare(1 - rank); });
    if (rank == 0) {
      fmt::print("{},{},{}\n", beff::b_eff::row(row.method).name, bare * kNanoseconds,
                 own * kNanoseconds);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int kDefaultPairs = 301;
  const beff::MpiSession session(&argc, &argv);
  if (session.size() != 2) {
    fmt::print(stderr, "harness_cost: start it with two processes: mpiexec -n 2 harness_cost\n");
    return 2;
  }
  const int pairs = argc > 1 ? std::max(1, std::atoi(argv[1])) : kDefaultPairs;
  const auto patterns = beff::b_eff::make_patterns(2, 1);
  constexpr std::size_t kOneRing = 5;
  constexpr beff::Bytes kLmax = beff::Bytes{4} << 20U;
  beff::HostMemory memory;
  const beff::b_eff::MessageBuffers buffers(memory, kLmax, session.rank(), true);
  beff::b_eff::Topologies topologies;
  beff::b_eff::AlltoallvArrays arrays;
  const beff::Nodes nodes;
  beff::b_eff::PatternTransfer transfer(patterns.at(kOneRing), topologies, buffers, arrays, nodes);
  for (const auto& row : kRows) {
    compare(row, transfer, pairs, session.rank());
  }
  return 0;
}
