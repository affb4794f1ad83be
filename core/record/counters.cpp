#include "core/record/counters.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <utility>

#include "core/record/json.hpp"
#include "core/record/result.hpp"
#include "core/units/quantity_text.hpp"

namespace beff {
namespace {

/// Whether an interface may have carried something; containers alone may have dozens that do not,
/// each of a name of its own.
bool counts(const PortCounters& port, const HostWires& host) {
  constexpr double kLeastShare = 0.01;
  std::int64_t moved = host.payload_bytes.value_or(0) + host.inside_bytes.value_or(0);
  if (!host.payload_bytes) {
    for (const auto& other : host.ports) {
      moved += other.sent_bytes;
    }
  }
  return port.errors > 0 ||
         static_cast<double>(port.sent_bytes) >= kLeastShare * static_cast<double>(moved);
}

/// A column of numbers, one of each host; see runs_text().
template <class Host, class Cell>
std::string host_column(const std::vector<Host>& of_hosts, const Cell& cell) {
  std::vector<std::optional<std::int64_t>> cells;
  std::ranges::transform(of_hosts, std::back_inserter(cells), cell);
  return runs_text(cells);
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

/// Of the time; the same as in python/beff/judge/analysis.py.
constexpr double kDisturbs = 0.05;

double share_of(const std::optional<std::int64_t>& part_ms, std::int64_t elapsed_ms) {
  return elapsed_ms > 0 ? static_cast<double>(part_ms.value_or(0)) / static_cast<double>(elapsed_ms)
                        : 0;
}

}  // namespace

HostWires carried(const HostWires& before, const HostWires& after) {
  HostWires wires{.retransmits = after.retransmits - before.retransmits, .ports = {}};
  for (const auto& port : after.ports) {
    const auto earlier = std::ranges::find(before.ports, port.name, &PortCounters::name);
    // what a counter that was set back has counted is not known
    if (earlier != before.ports.end() && earlier->sent_bytes <= port.sent_bytes) {
      auto& entry = wires.ports.emplace_back(port);
      entry.sent_bytes -= earlier->sent_bytes;
      entry.errors = std::max<std::int64_t>(0, entry.errors - earlier->errors);
    }
  }
  return wires;
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
  const auto of = [&](auto member) { return host_column(of_hosts, member); };
  const bool knows_payload = of_hosts.front().payload_bytes.has_value();
  return {{"payload_bytes", knows_payload ? Json(of(&HostWires::payload_bytes)) : nullptr},
          {"inside_bytes", knows_payload ? Json(of(&HostWires::inside_bytes)) : nullptr},
          {"retransmits", of(&HostWires::retransmits)},
          {"ports", json_list(recorded_ports(of_hosts), port_json)}};
}

Json load_json(const std::vector<HostLoad>& of_hosts) {
  if (of_hosts.empty()) {
    return nullptr;
  }
  const auto of = [&](auto member) { return host_column(of_hosts, member); };
  return {{"elapsed_ms", of(&HostLoad::elapsed_ms)},
          {"others_ms", of(&HostLoad::others_ms)},
          {"stolen_ms", of(&HostLoad::stolen_ms)},
          {"waited_ms", of(&HostLoad::waited_ms)},
          {"throttled_ms", of(&HostLoad::throttled_ms)}};
}

std::string load_text(const std::vector<HostLoad>& of_hosts, const std::vector<Host>& hosts) {
  std::vector<Host> busy;
  double most = 0;
  for (std::size_t host = 0; host < of_hosts.size(); ++host) {
    const auto& load = of_hosts[host];
    const double worst = std::max({share_of(load.others_ms, load.elapsed_ms),
                                   share_of(load.stolen_ms, load.elapsed_ms),
                                   share_of(load.throttled_ms, load.elapsed_ms)});
    if (worst > kDisturbs) {
      busy.push_back(hosts.at(host));
      most = std::max(most, worst);
    }
  }
  if (busy.empty()) {
    return "";
  }
  return sentence({"others had the cores",
                   {{"hosts", compressed_host_list(busy)}, {"time_percent", 100 * most}}});
}

}  // namespace beff
