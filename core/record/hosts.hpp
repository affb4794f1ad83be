#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/record/json_fwd.hpp"

namespace beff {

/// What a launcher says of the host on which it started a process; empty what it does not say.
struct PlaceInJob {
  std::string node;      ///< the scheduler's own name of it, as its commands take it
  std::string switches;  ///< those above it, from the top down, joined by dots
};

/// Of Slurm: SLURMD_NODENAME, and SLURM_TOPOLOGY_ADDR without the part that
/// SLURM_TOPOLOGY_ADDR_PATTERN calls node.
[[nodiscard]] PlaceInJob place_in_slurm(std::string_view node, std::string_view address,
                                        std::string_view pattern);

struct Host {
  std::string name;
  int processes;
  PlaceInJob place = {};
};

/// Drops what launchers say where several hosts were given the same name, as where a launcher
/// hands its own environment on to all.
void drop_copied_places(std::vector<Host>& hosts);

/// Host names with runs of numbers folded: node[001-128,130],login.
[[nodiscard]] std::string compressed_host_list(const std::vector<Host>& hosts);

/// Kernel of each node by the nodes' boot ids, numbered in the order of their first nodes; empty
/// where each has one of its own. A node whose boot id is not known (empty) has.
[[nodiscard]] std::vector<int> numbered_kernels(const std::vector<std::string>& boot_ids);

/// The hosts that are containers of a kernel with others, as a list; empty where none are.
[[nodiscard]] std::string hosts_of_one_kernel(const std::vector<Host>& hosts,
                                              const std::vector<int>& kernels);

/// A physical port of a host's network.
struct Port {
  std::string name;                 ///< `mlx5_0/1`, `eth0`
  std::string kind;                 ///< "infiniband" or "ethernet"
  std::optional<double> rate_MBps;  ///< of one direction; empty where not active or not known
  std::string state;                ///< as the system says it, in lower case: "active", "up" …

  static auto fields(auto& port) {
    return std::tie(port.name, port.kind, port.rate_MBps, port.state);
  }
};

/// What a host's system reports of the hardware that messages go through.
struct HostHardware {
  std::vector<Port> network;
  /// Links below the lesser of their two ends: `0000:81:00.0 (network): 8 of 16 lanes`.
  std::vector<std::string> pcie_below_maximum;

  static auto fields(auto& hardware) {
    return std::tie(hardware.network, hardware.pcie_below_maximum);
  }
};

/// Hosts with the same hardware.
struct HostGroup {
  std::string hosts;  ///< compressed list
  HostHardware hardware;
};

/// Groups of hosts for whose entries `key` gives the same text, in the order of their first hosts.
/// A group is a list of hosts and an entry; `of_hosts` has one for each host.
template <class Group, class Entry, class Key>
[[nodiscard]] std::vector<Group> grouped(const std::vector<Host>& hosts,
                                         const std::vector<Entry>& of_hosts, const Key& key) {
  std::map<std::string, std::size_t> group_of;
  std::vector<Group> groups;
  std::vector<std::vector<Host>> members;
  for (std::size_t host = 0; host < of_hosts.size(); ++host) {
    const auto [group, is_new] = group_of.emplace(key(of_hosts[host]), groups.size());
    if (is_new) {
      groups.push_back({"", of_hosts[host]});
      members.emplace_back();
    }
    members[group->second].push_back(hosts.at(host));
  }
  for (std::size_t group = 0; group < groups.size(); ++group) {
    groups[group].hosts = compressed_host_list(members[group]);
  }
  return groups;
}

Json to_json(const HostHardware& hardware);

}  // namespace beff
