// What deciding when to stop costs b_eff_io: the engine's calls in batches, with one agreement of
// all processes per batch, against as many of the same calls in one go (decisions), and against a
// loop that neither looks at return code and count nor moves on in memory (all). 1 kB chunks,
// alternating in one run.
// Run: mpiexec -n N io_harness_cost FOLDER [rounds] [seconds of a loop]

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <thread>
#include <utility>

#include "core/b_eff_io/batch_control.hpp"
#include "engines/b_eff_io/call_loop.hpp"
#include "engines/b_eff_io/setup.hpp"
#include "engines/common/mpi/launch.hpp"

namespace {

using beff::b_eff_io::BatchControl;
using beff::b_eff_io::Outcome;
using beff::b_eff_io::Type;
using beff::b_eff_io::Waiting;
using beff::b_eff_io::Work;

constexpr beff::Bytes kChunk = 1024;
constexpr beff::Bytes kSegment = beff::Bytes{1} << 30U;
constexpr int kLoops = 3;

struct Row {
  Type type;
  std::int64_t chunks_per_call;
  const char* call;
  int (*bare)(MPI_File file, const void* memory, int count, MPI_Datatype datatype,
              MPI_Status* status);
};

constexpr std::array kRows{
    Row{Type::kScatter, 1024, "MPI_File_write_all 1 MB", MPI_File_write_all},
    Row{Type::kShared, 1, "MPI_File_write_ordered", MPI_File_write_ordered},
    Row{Type::kSeparate, 1, "MPI_File_write", MPI_File_write},
    Row{Type::kSegColl, 1, "MPI_File_write_all", MPI_File_write_all},
};

/// The bench runs on one node.
bool shares_cores(const beff::MpiSession& session) {
  return std::cmp_greater(session.size(), std::thread::hardware_concurrency());
}

beff::Seconds since(double begin) { return MPI_Wtime() - begin; }

beff::Seconds slowest(beff::Seconds mine) {
  double all = mine;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return all;
}

beff::Seconds cost_of(Waiting waiting) {
  constexpr int kTimes = 50;
  (void)beff::b_eff_io::agree_on(MPI_COMM_WORLD, Outcome{}, waiting);
  const double begin = MPI_Wtime();
  for (int i = 0; i < kTimes; ++i) {
    (void)beff::b_eff_io::agree_on(MPI_COMM_WORLD, Outcome{}, waiting);
  }
  return slowest(since(begin) / kTimes);
}

struct Loop {
  std::int64_t calls;
  beff::Seconds time;
};

Loop engine_loop(const Row& row, const Work& work, Waiting waiting, beff::Seconds decision_cost,
                 beff::Seconds time) {
  const auto& method = beff::b_eff_io::method_of(row.type, beff::b_eff_io::Pointer::kShared, false);
  beff::b_eff_io::BatchLimits limits;
  limits.time = time;
  BatchControl control(limits, decision_cost);
  beff::b_eff_io::CallErrors errors;
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  method.start(work, true);
  std::int64_t made = 0;
  while (!control.stopped()) {
    method.run(work, made, control.batch(), errors);
    made += control.batch();
    Outcome mine;
    mine.elapsed = since(begin);
    const auto agreed = beff::b_eff_io::agree_on(MPI_COMM_WORLD, mine, waiting);
    control.completed(agreed);
  }
  return {.calls = control.calls(), .time = slowest(since(begin))};
}

/// As many calls as the engine made; without decisions the engine's own loop, or a bare one.
template <class Calls>
Loop timed(const Row& row, const Work& work, std::int64_t number, Calls&& calls) {
  const auto& method = beff::b_eff_io::method_of(row.type, beff::b_eff_io::Pointer::kShared, false);
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  method.start(work, true);
  calls(method);
  return {.calls = number, .time = slowest(since(begin))};
}

Loop undecided_loop(const Row& row, const Work& work, std::int64_t number) {
  beff::b_eff_io::CallErrors errors;
  return timed(row, work, number, [&](const auto& method) { method.run(work, 0, number, errors); });
}

Loop bare_loop(const Row& row, const Work& work, std::int64_t number) {
  return timed(row, work, number, [&](const auto& /*method*/) {
    for (std::int64_t call = 0; call < number; ++call) {
      MPI_Status status;
      row.bare(work.file, work.buffer->window(0), work.call.count, work.call.datatype, &status);
    }
  });
}

/// Prints a line for each round: type and call, microseconds of a call of each loop.
void compare(const Row& row, const beff::MpiSession& session, const std::string& folder, int rounds,
             beff::Seconds time) {
  const bool own_file = beff::b_eff_io::row(row.type).file_per_process();
  const auto path = fmt::format("{}/io_harness_cost-{}", folder, own_file ? session.rank() : 0);
  beff::HostMemory memory;
  const beff::b_eff_io::TransferBuffer buffer(memory, memory, kChunk * row.chunks_per_call);
  Work work;
  work.placement = {.type = row.type,
                    .processes = session.size(),
                    .chunk = kChunk,
                    .chunks_per_call = row.chunks_per_call,
                    .base = 0,
                    .segment = kSegment,
                    .slots = 0,
                    .seed = 0};
  work.rank = session.rank();
  work.writes = true;
  work.collective = beff::b_eff_io::row(row.type).collective;
  work.chunk = beff::Datatype::contiguous(kChunk);
  work.strided = beff::Datatype::strided(work.chunk, session.size() * kChunk);
  work.buffer = &buffer;
  work.call = {.count = static_cast<int>(work.placement.bytes_per_call()),
               .datatype = MPI_BYTE,
               .name = "byte"};
  if (MPI_File_open(own_file ? MPI_COMM_SELF : MPI_COMM_WORLD, path.c_str(),
                    MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                    &work.file) != MPI_SUCCESS) {
    fmt::print(stderr, "io_harness_cost: {} cannot be opened\n", path);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  const auto waiting = shares_cores(session) ? Waiting::kNapping : Waiting::kSpinning;
  const auto cost = cost_of(waiting);
  const auto number = engine_loop(row, work, waiting, cost, time).calls;
  bare_loop(row, work, number);  // the file exists from here on
  for (int round = 0; round < rounds; ++round) {
    std::array<double, kLoops> per_call{};
    // Each loop is the first as often as the others: writing back to disk goes on while they run.
    for (int turn = 0; turn < kLoops; ++turn) {
      const auto which = static_cast<std::size_t>((round + turn) % kLoops);
      const Loop loop = which == 0   ? engine_loop(row, work, waiting, cost, time)
                        : which == 1 ? undecided_loop(row, work, number)
                                     : bare_loop(row, work, number);
      per_call.at(which) = loop.time / static_cast<double>(loop.calls);
    }
    if (session.rank() == 0) {
      constexpr double kMicroseconds = 1e6;
      fmt::print("{} {},{},{},{}\n", beff::b_eff_io::row(row.type).name, row.call,
                 per_call[0] * kMicroseconds, per_call[1] * kMicroseconds,
                 per_call[2] * kMicroseconds);
    }
  }
  MPI_File_close(&work.file);
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int kDefaultRounds = 75;
  // Patterns with 1 kB chunks have 6 s in a run of 30 min. The shorter the loops, the less the
  // machine changes between those that are compared, but the more their first, short batches weigh.
  constexpr beff::Seconds kDefaultLoopTime = 0.2;
  const beff::MpiSession session(&argc, &argv);
  if (argc < 2) {
    fmt::print(stderr, "io_harness_cost: name a folder to write to\n");
    return 2;
  }
  const int rounds = argc > 2 ? std::max(1, std::atoi(argv[2])) : kDefaultRounds;
  const beff::Seconds time = argc > 3 ? std::atof(argv[3]) : kDefaultLoopTime;
  for (const auto& row : kRows) {
    compare(row, session, argv[1], rounds, time);
  }
  return 0;
}
