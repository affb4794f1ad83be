#include "engines/common/counters/counters.hpp"

#include <mpi.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <optional>

#include "engines/common/host/capacity.hpp"
#include "engines/common/host/host.hpp"
#include "engines/common/mpi/agree.hpp"
#include "engines/common/mpi/clock.hpp"
#include "engines/common/mpi/launch.hpp"
#include "engines/common/mpi/nodes.hpp"

namespace beff {
namespace {

constexpr int kNoNode = -1;

/// Time of all threads of this process in user mode, those of the MPI library among them.
Seconds own_user_time() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<Seconds>(usage.ru_utime.tv_sec) +
         static_cast<Seconds>(usage.ru_utime.tv_usec) * 1e-6;
}

}  // namespace

WireWatch::WireWatch(const Nodes& nodes) : nodes_(&nodes), before_(read()) {}

HostWires WireWatch::read() const {
  return !kSimulated && nodes_->is_leader() ? read_port_counters("/sys", "/proc") : HostWires{};
}

std::vector<HostWires> WireWatch::carried(const std::optional<SentBytes>& sent) const {
  if (kSimulated) {
    return {};
  }
  const auto after = read();
  const auto mine = sent.value_or(SentBytes{});
  const auto of_host = allreduce(std::array{mine.leaving, mine.inside}, MPI_SUM, nodes_->local());
  const auto numa_nodes =
      gather(numa_node_of("/sys", own_cpu_set()).value_or(kNoNode), nodes_->local());
  std::optional<HostWires> host;
  if (nodes_->is_leader()) {
    host = beff::carried(before_, after);
    for (auto& port : host->ports) {
      if (port.numa_node) {
        port.near_processes = static_cast<int>(std::ranges::count(numa_nodes, *port.numa_node));
      }
    }
    if (sent) {
      host->payload_bytes = of_host[0];
      host->inside_bytes = of_host[1];
    }
  }
  return gather_records(host);
}

LoadWatch::LoadWatch(const Nodes& nodes) : nodes_(&nodes) {
  if (kSimulated) {
    return;
  }
  if (rank_in(nodes.of_kernel()) == 0) {
    before_ = read_load();
  }
  started_ = watch_time();
  own_before_ = own_user_time();
}

std::vector<HostLoad> LoadWatch::since() const {
  if (kSimulated) {
    return {};
  }
  const MPI_Comm kernel = nodes_->of_kernel();
  const Seconds elapsed = watch_time() - started_;
  const Seconds user_time = own_user_time() - own_before_;
  const auto after = rank_in(kernel) == 0 ? read_load() : LoadCounters();
  const auto users = gather(user_time, kernel);
  const auto sets = gather_cpu_sets(kernel);
  std::vector<ProcessTime> processes;
  for (std::size_t process = 0; process < sets.size(); ++process) {
    processes.push_back({.cpus = sets[process], .user = users[process]});
  }
  const auto load = from_rank_0(load_between(before_, after, processes, elapsed), kernel);
  return gather_records(nodes_->is_leader() ? std::optional(load) : std::nullopt);
}

}  // namespace beff
