#include "engines/b_eff_io/plan_task.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <vector>

#include "core/b_eff_io/plan_text.hpp"
#include "core/record/json.hpp"
#include "engines/b_eff_io/content.hpp"
#include "engines/common/fail.hpp"
#include "engines/common/hardware.hpp"

namespace beff::b_eff_io {
namespace {

/// Bandwidth in MB/s of one process that writes and synchronises for about half a second; empty
/// where it cannot write.
std::optional<double> probe_write(const std::filesystem::path& folder) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::duration<double> kTime{0.5};
  constexpr int kMost = 64;
  constexpr std::size_t kBlock = 4 * kMiB;
  std::vector<std::byte> block(kBlock);
  Content({}).fill(block.data(), static_cast<Bytes>(kBlock));
  auto name = (folder / "b_eff_io-probe-XXXXXX").string();
  const int file = mkstemp(name.data());
  if (file < 0) {
    return std::nullopt;
  }
  unlink(name.c_str());
  double bytes = 0;
  bool fine = true;
  const auto begin = Clock::now();
  for (int i = 0; i < kMost && fine && Clock::now() - begin < kTime; ++i) {
    fine = write(file, block.data(), kBlock) == static_cast<ssize_t>(kBlock) && fsync(file) == 0;
    bytes += static_cast<double>(kBlock);
  }
  const std::chrono::duration<double> took = Clock::now() - begin;
  close(file);
  return fine ? std::optional(bytes / took.count() / kBytesPerMB) : std::nullopt;
}

Probe probe(const Options& options) {
  if (!options.folders.all) {
    return {};
  }
  const Bytes free = free_space(*options.folders.all);
  return {.write_MBps = probe_write(*options.folders.all),
          .free = free == kUnlimited ? std::nullopt : std::optional(free)};
}

void print(const Plan& plan, const Options& options) {
  const auto found = probe(options);
  if (options.plan_as_json) {
    fmt::print("{}\n", plan_json(plan, found).dump(1));
  } else {
    fmt::print("{}", plan_text(plan, found));
  }
}

}  // namespace

Plan plan_or_usage_error(const Options& options, const Place& place) {
  try {
    return make_plan(plan_request(options, place));
  } catch (const std::invalid_argument& problem) {
    throw UsageError(problem.what());
  }
}

Bytes smallest_node(const Nodes& nodes, Bytes memory_per_process) {
  long long memory = memory_per_process * nodes.local_processes();
  MPI_Allreduce(MPI_IN_PLACE, &memory, 1, MPI_LONG_LONG, MPI_MIN, MPI_COMM_WORLD);
  return memory;
}

int plan_for_job(const MpiSession& session, const Options& options) {
  const Nodes nodes;
  const auto environment = gather_environment(session, nodes, options.memory, {});
  const Bytes memory = environment.memory.per_process;
  const auto plan = plan_or_usage_error(options, {.processes = session.size(),
                                                  .memory_per_process = memory,
                                                  .memory_per_node = smallest_node(nodes, memory),
                                                  .striping_unit = std::nullopt,
                                                  .reserve = 0});
  if (session.rank() == 0) {
    print(plan, options);
  }
  return kExitValid;
}

int plan_for_processes(const Options& options, const RunContext& /*context*/) {
  const int processes = options.processes.value_or(0);
  const auto hardware = look_at_hardware();
  const int per_node = std::min(processes, std::max(1, hardware.cpu.cores));
  const Bytes node = options.memory.per_process
                         ? *options.memory.per_process * per_node
                         : options.memory.per_node.value_or(usable_memory(hardware.memory).bytes);
  print(plan_or_usage_error(options, {.processes = processes,
                                      .memory_per_process = node / per_node,
                                      .memory_per_node = node,
                                      .striping_unit = std::nullopt,
                                      .reserve = 0}),
        options);
  return kExitValid;
}

}  // namespace beff::b_eff_io
