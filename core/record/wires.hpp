#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/record/json_fwd.hpp"

namespace beff {

/// What a port of a host has counted since it was started.
struct PortCounters {
  std::string name;  ///< `mlx5_0/1`, `eth0`, `lo`
  std::string kind;  ///< "rdma", "ethernet" or "loopback"
  bool active = true;
  std::int64_t sent_bytes = 0;
  std::int64_t errors = 0;  ///< with discards, retransmissions and links that went down
};

/// What a host's ports carried, and what its processes sent meanwhile.
struct HostWires {
  std::int64_t payload_bytes = 0;  ///< to other hosts
  std::int64_t inside_bytes = 0;   ///< to each other
  std::int64_t retransmits = 0;    ///< segments of TCP
  std::vector<PortCounters> ports;
};

/// What was counted from `before` to `after`, of the ports that are in both.
HostWires carried(const HostWires& before, const HostWires& after);

Json to_json(const HostWires& wires);
/// The inverse of to_json.
HostWires host_wires_of(const Json& fields);

/// Field `wires` of a result: columns with a number for each host, as texts; `-` where a host lacks
/// a port. Null of no hosts.
Json wires_json(const std::vector<HostWires>& of_hosts);

}  // namespace beff
