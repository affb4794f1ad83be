#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "core/record/hosts.hpp"
#include "core/record/json_fwd.hpp"

namespace beff {

/// What a port of a host has counted since it was started.
struct PortCounters {
  std::string name;  ///< `mlx5_0/1`, `eth0`, `lo`
  std::string kind;  ///< "rdma", "ethernet" or "loopback"
  bool active = true;
  std::int64_t sent_bytes = 0;
  std::optional<std::int64_t> bytes_per_s{};  ///< its rate in one direction
  std::optional<int> numa_node{};             ///< that it is attached to
  std::optional<int> near_processes{};        ///< bound to cores of that node alone
  std::int64_t errors = 0;  ///< with discards, retransmissions and links that went down

  static auto fields(auto& port) {
    return std::tie(port.name, port.kind, port.active, port.sent_bytes, port.bytes_per_s,
                    port.numa_node, port.near_processes, port.errors);
  }
};

/// What a host's ports carried, and what its processes sent meanwhile.
struct HostWires {
  std::optional<std::int64_t> payload_bytes{};  ///< to other hosts
  std::optional<std::int64_t> inside_bytes{};   ///< to each other
  std::int64_t retransmits = 0;                 ///< segments of TCP
  std::vector<PortCounters> ports;

  static auto fields(auto& wires) {
    return std::tie(wires.payload_bytes, wires.inside_bytes, wires.retransmits, wires.ports);
  }
};

/// What ports counted from `before` to `after`, those that are in both; without payload.
HostWires carried(const HostWires& before, const HostWires& after);

/// Names and kinds of the ports that are recorded: not of interfaces that nowhere carried anything.
std::map<std::string, std::string> recorded_ports(const std::vector<HostWires>& of_hosts);

/// Field `wires` of a result: columns with a number for each host, as texts; `-` where a host lacks
/// a port. Null of no hosts.
Json wires_json(const std::vector<HostWires>& of_hosts);

/// What of the time between start and end of measuring the processes of a host did not have.
/// Counted where they may run, for the place with the most: cores that processes have in common.
struct HostLoad {
  std::int64_t elapsed_ms = 0;
  std::optional<std::int64_t> others_ms{};     ///< other programs, per process
  std::optional<std::int64_t> stolen_ms{};     ///< the hypervisor, per process
  std::optional<std::int64_t> waited_ms{};     ///< some process waited for a core
  std::optional<std::int64_t> throttled_ms{};  ///< kept from running by a quota
};

/// Field `load` of a result: columns with a number for each host; null where nothing is known.
Json load_json(const std::vector<HostLoad>& of_hosts);

/// The hosts that did not have more than 5 % of the time, for the protocol; empty of none.
std::string load_text(const std::vector<HostLoad>& of_hosts, const std::vector<Host>& hosts);

}  // namespace beff
