#include "core/record/host_hardware.hpp"

#include <map>
#include <utility>

#include "core/record/json.hpp"

namespace beff {

double HostHardware::rate_MBps() const {
  double infiniband = 0;
  double ethernet = 0;
  for (const auto& port : network) {
    (port.kind == "infiniband" ? infiniband : ethernet) += port.rate_MBps.value_or(0);
  }
  return infiniband > 0 ? infiniband : ethernet;
}

std::vector<HostGroup> equal_hosts(const std::vector<Host>& hosts,
                                   const std::vector<HostHardware>& hardware) {
  std::map<std::string, std::size_t> group_of;
  std::vector<std::vector<Host>> members;
  std::vector<HostGroup> groups;
  for (std::size_t host = 0; host < hardware.size(); ++host) {
    const auto [found, added] = group_of.emplace(json_text(to_json(hardware[host])), groups.size());
    if (added) {
      groups.push_back({.hosts = "", .hardware = hardware[host]});
      members.emplace_back();
    }
    members[found->second].push_back(hosts.at(host));
  }
  for (std::size_t group = 0; group < groups.size(); ++group) {
    groups[group].hosts = compressed_host_list(members[group]);
  }
  return groups;
}

Json to_json(const HostHardware& hardware) {
  const auto port_json = [](const Port& port) {
    return Json{{"name", port.name},
                {"kind", port.kind},
                {"rate_MBps", or_null(port.rate_MBps)},
                {"state", port.state}};
  };
  return {{"network", json_list(hardware.network, port_json)},
          {"pcie_below_maximum", hardware.pcie_below_maximum}};
}

}  // namespace beff
