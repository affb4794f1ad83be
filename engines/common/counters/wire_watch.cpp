#include "engines/common/counters/wire_watch.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <optional>

#include "engines/common/counters/ports.hpp"
#include "engines/common/host/binding.hpp"
#include "engines/common/host/cpu_set.hpp"
#include "engines/common/mpi/agree.hpp"
#include "engines/common/mpi/simulation.hpp"

namespace beff {
namespace {

constexpr int kNoNode = -1;

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

}  // namespace beff
