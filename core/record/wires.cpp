#include "core/record/wires.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "core/record/host_columns.hpp"
#include "core/record/json.hpp"

namespace beff {
namespace {

/// Whether an interface may have carried something; containers alone may have dozens that do not,
/// each of a name of its own.
bool counts(const PortCounters& port, const HostWires& host) {
  constexpr double kLeastShare = 0.01;
  std::int64_t moved = host.payload_bytes.value_or(0) + host.inside_bytes.value_or(0);
  if (!host.payload_bytes) {
    for (const auto& each : host.ports) {
      moved += each.sent_bytes;
    }
  }
  return port.errors > 0 ||
         static_cast<double>(port.sent_bytes) >= kLeastShare * static_cast<double>(moved);
}

/// A column of what each host has of the port of that name.
template <class Member>
std::string port_column(const std::vector<HostWires>& of_hosts, const std::string& name,
                        Member member) {
  return host_column(of_hosts, [&](const HostWires& host) {
    const auto port = std::ranges::find(host.ports, name, &PortCounters::name);
    return port == host.ports.end() ? std::nullopt : std::optional<std::int64_t>((*port).*member);
  });
}

}  // namespace

HostWires carried(const HostWires& before, const HostWires& after) {
  HostWires found{.retransmits = after.retransmits - before.retransmits, .ports = {}};
  for (const auto& port : after.ports) {
    const auto earlier = std::ranges::find(before.ports, port.name, &PortCounters::name);
    // what a counter that was set back has counted is not known
    if (earlier != before.ports.end() && earlier->sent_bytes <= port.sent_bytes) {
      auto& entry = found.ports.emplace_back(port);
      entry.sent_bytes -= earlier->sent_bytes;
      entry.errors = std::max<std::int64_t>(0, entry.errors - earlier->errors);
    }
  }
  return found;
}

std::map<std::string, std::string> recorded_ports(const std::vector<HostWires>& of_hosts) {
  std::map<std::string, std::string> kinds;
  for (const auto& host : of_hosts) {
    for (const auto& port : host.ports) {
      if (port.kind != "ethernet" || counts(port, host)) {
        kinds.emplace(port.name, port.kind);
      }
    }
  }
  return kinds;
}

Json wires_json(const std::vector<HostWires>& of_hosts) {
  if (of_hosts.empty()) {
    return nullptr;
  }
  const auto port_json = [&](const auto& port) {
    const auto& [name, kind] = port;
    const auto of = [&](auto member) { return port_column(of_hosts, name, member); };
    return Json{{"name", name},
                {"kind", kind},
                {"active", of(&PortCounters::active)},
                {"bytes_per_s", of(&PortCounters::bytes_per_s)},
                {"numa_node", of(&PortCounters::numa_node)},
                {"near_processes", of(&PortCounters::near_processes)},
                {"sent_bytes", of(&PortCounters::sent_bytes)},
                {"errors", of(&PortCounters::errors)}};
  };
  const auto of = [&](auto member) {
    return host_column(of_hosts, [&](const HostWires& host) { return host.*member; });
  };
  const bool knows_payload = of_hosts.front().payload_bytes.has_value();
  return {{"payload_bytes", knows_payload ? Json(of(&HostWires::payload_bytes)) : nullptr},
          {"inside_bytes", knows_payload ? Json(of(&HostWires::inside_bytes)) : nullptr},
          {"retransmits", of(&HostWires::retransmits)},
          {"ports", json_list(recorded_ports(of_hosts), port_json)}};
}

}  // namespace beff
