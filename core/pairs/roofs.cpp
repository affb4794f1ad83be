#include "core/pairs/roofs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "core/record/json.hpp"

namespace beff::pairs {
namespace {

/// The rate that most hosts have.
double usual_rate_MBps(const Roofs& roofs) {
  std::map<double, int> hosts_with;
  for (const auto& host : roofs.of_hosts) {
    ++hosts_with[host.rate_MBps()];
  }
  const auto most = std::ranges::max_element(
      hosts_with, {}, [](const auto& entry) { return std::pair(entry.second, entry.first); });
  return most == hosts_with.end() ? 0 : most->first;
}

std::string hosts_text(const Roofs& roofs, const std::vector<Host>& hosts) {
  const double usual = usual_rate_MBps(roofs);
  std::string text;
  for (const auto& [names, hardware] : equal_hosts(hosts, roofs.of_hosts)) {
    for (const auto& port : hardware.network) {
      text += fmt::format(
          "  {}: {} {}, {}{}\n", names, port.kind, port.name, port.state,
          port.rate_MBps ? fmt::format(", {:.4g} GB/s", *port.rate_MBps / kMBPerGB) : "");
    }
    if (const double rate = hardware.rate_MBps(); rate != usual) {
      const auto rate_text = [](double MBps) {
        return MBps > 0 ? fmt::format("{:.4g} GB/s", MBps / kMBPerGB) : std::string("not known");
      };
      text += fmt::format("  {}: rate {}, of most others {}\n", names, rate_text(rate),
                          rate_text(usual));
    }
    for (const auto& device : hardware.pcie_below_maximum) {
      text += fmt::format("  {}: PCIe below its maximum: {}\n", names, device);
    }
  }
  return text;
}

}  // namespace

Json to_json(const Roofs& roofs, const std::vector<Host>& hosts) {
  if (!roofs.any()) {
    return nullptr;
  }
  const auto group_json = [](const HostGroup& group) {
    Json entry = {{"hosts", group.hosts}};
    entry.update(beff::to_json(group.hardware));
    return entry;
  };
  return {{"copy_MBps_per_process", or_null(roofs.copy_MBps_per_process)},
          {"hosts", json_list(equal_hosts(hosts, roofs.of_hosts), group_json)},
          {"took_s", roofs.took}};
}

std::string roofs_text(const Roofs& roofs, const std::vector<Host>& hosts) {
  std::string text;
  if (roofs.copy_MBps_per_process) {
    text += fmt::format("Memory to memory each process copies {:.3g} GB/s, all at the same time\n",
                        *roofs.copy_MBps_per_process / kMBPerGB);
  }
  return text + hosts_text(roofs, hosts);
}

}  // namespace beff::pairs
