#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "core/record/environment.hpp"
#include "core/record/json_fwd.hpp"

namespace beff {

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

  /// Sum over the active ports: over those of InfiniBand, if it has any. 0: not known.
  [[nodiscard]] double rate_MBps() const;

  static auto fields(auto& hardware) {
    return std::tie(hardware.network, hardware.pcie_below_maximum);
  }
};

/// Hosts with the same hardware.
struct HostGroup {
  std::string hosts;  ///< compressed list
  HostHardware hardware;
};

/// Groups in the order of their first hosts. `hardware` has an entry for each host.
std::vector<HostGroup> equal_hosts(const std::vector<Host>& hosts,
                                   const std::vector<HostHardware>& hardware);

Json to_json(const HostHardware& hardware);

}  // namespace beff
