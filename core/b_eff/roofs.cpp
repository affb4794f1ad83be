#include "core/b_eff/roofs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "core/record/json.hpp"

namespace beff::b_eff {
namespace {

constexpr double kMBPerGB = 1e3;

/// The rate of the quickest host; 0: not known.
double quickest_MBps(const Roofs& roofs) {
  double quickest = 0;
  for (const auto& host : roofs.of_hosts) {
    quickest = std::max(quickest, host.rate_MBps());
  }
  return quickest;
}

std::string share_text(const char* what, double found_MBps, double roof_MBps, const char* of_what) {
  const double share = found_MBps / roof_MBps;
  return fmt::format(
      "{} {:.3g} of {:.3g} GB/s{} ({:.0f} %){}\n", what, found_MBps / kMBPerGB,
      roof_MBps / kMBPerGB, of_what, share * 100,
      share > 1 ? ": more than the hardware allows, so one of the two is wrong" : "");
}

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
      const auto told = [](double MBps) {
        return MBps > 0 ? fmt::format("{:.4g} GB/s", MBps / kMBPerGB) : std::string("not told");
      };
      text += fmt::format("  {}: rate {}, of most others {}\n", names, told(rate), told(usual));
    }
    for (const auto& device : hardware.pcie_below_maximum) {
      text += fmt::format("  {}: PCIe below its maximum: {}\n", names, device);
    }
  }
  return text;
}

}  // namespace

RoofShares roof_shares(const Roofs& roofs, const std::vector<Host>& hosts, int processes,
                       const Figure& at_lmax) {
  RoofShares shares;
  const bool one_host = hosts.size() == 1;
  if (!at_lmax) {
    return shares;
  }
  if (one_host && roofs.copy_MBps_per_process.value_or(0) > 0) {
    shares.copy = *at_lmax / processes / *roofs.copy_MBps_per_process;
  }
  const double network = quickest_MBps(roofs);
  if (!one_host && std::cmp_equal(processes, hosts.size()) && network > 0) {
    shares.network = *at_lmax / processes / network;
  }
  return shares;
}

Json to_json(const Roofs& roofs, const std::vector<Host>& hosts, int processes,
             const Figure& at_lmax) {
  if (!roofs.any()) {
    return nullptr;
  }
  const auto group_json = [](const HostGroup& group) {
    Json entry = {{"hosts", group.hosts}};
    entry.update(beff::to_json(group.hardware));
    return entry;
  };
  const auto shares = roof_shares(roofs, hosts, processes, at_lmax);
  return {{"copy_MBps_per_process", or_null(roofs.copy_MBps_per_process)},
          {"share_of_copy", or_null(shares.copy)},
          {"share_of_network", or_null(shares.network)},
          {"hosts", json_list(equal_hosts(hosts, roofs.of_hosts), group_json)},
          {"took_s", roofs.took}};
}

std::string roofs_text(const Roofs& roofs, const std::vector<Host>& hosts, int processes,
                       const Figure& at_lmax) {
  std::string text;
  if (roofs.copy_MBps_per_process) {
    text += fmt::format("Memory to memory each process copies {:.3g} GB/s, all at the same time\n",
                        *roofs.copy_MBps_per_process / kMBPerGB);
  }
  const auto shares = roof_shares(roofs, hosts, processes, at_lmax);
  const double each = at_lmax.value_or(0) / processes;
  if (shares.copy) {
    text += share_text("At L_max each process moves", each, *roofs.copy_MBps_per_process,
                       " that a copy reaches");
  } else if (shares.network) {
    text += share_text("At L_max each host sends", each, quickest_MBps(roofs), "");
  } else if (at_lmax) {
    text += "No roof is known for messages of L_max";
    text +=
        hosts.size() > 1 && std::cmp_not_equal(processes, hosts.size())
            ? ": with several processes on a host it is not known how much crosses the network\n"
            : "\n";
  }
  return text + hosts_text(roofs, hosts);
}

}  // namespace beff::b_eff
