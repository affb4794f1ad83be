#include "core/record/wires.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "core/record/json.hpp"

namespace beff {
namespace {

void append(std::string& text, const std::string& cell) {
  text += (text.empty() ? "" : " ") + cell;
}

/// Whether an interface may have carried something; containers alone may have dozens that do not,
/// each of a name of its own.
bool counts(const PortCounters& port, const HostWires& host) {
  constexpr double kLeastShare = 0.01;
  const auto moved = static_cast<double>(host.payload_bytes + host.inside_bytes);
  return port.errors > 0 || static_cast<double>(port.sent_bytes) >= kLeastShare * moved;
}

}  // namespace

HostWires carried(const HostWires& before, const HostWires& after) {
  HostWires found{.payload_bytes = after.payload_bytes - before.payload_bytes,
                  .inside_bytes = after.inside_bytes - before.inside_bytes,
                  .retransmits = after.retransmits - before.retransmits,
                  .ports = {}};
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

Json to_json(const HostWires& wires) {
  const auto port_json = [](const PortCounters& port) {
    return Json{{"name", port.name},
                {"kind", port.kind},
                {"active", port.active},
                {"sent_bytes", port.sent_bytes},
                {"errors", port.errors}};
  };
  return {{"payload_bytes", wires.payload_bytes},
          {"inside_bytes", wires.inside_bytes},
          {"retransmits", wires.retransmits},
          {"ports", json_list(wires.ports, port_json)}};
}

HostWires host_wires_of(const Json& fields) {
  HostWires wires{.payload_bytes = fields.at("payload_bytes"),
                  .inside_bytes = fields.at("inside_bytes"),
                  .retransmits = fields.at("retransmits"),
                  .ports = {}};
  for (const auto& port : fields.at("ports")) {
    wires.ports.push_back({.name = port.at("name"),
                           .kind = port.at("kind"),
                           .active = port.at("active"),
                           .sent_bytes = port.at("sent_bytes"),
                           .errors = port.at("errors")});
  }
  return wires;
}

Json wires_json(const std::vector<HostWires>& of_hosts) {
  if (of_hosts.empty()) {
    return nullptr;
  }
  std::map<std::string, std::string> kinds;
  std::string payload;
  std::string inside;
  std::string retransmits;
  for (const auto& host : of_hosts) {
    append(payload, fmt::format("{}", host.payload_bytes));
    append(inside, fmt::format("{}", host.inside_bytes));
    append(retransmits, fmt::format("{}", host.retransmits));
    for (const auto& port : host.ports) {
      if (port.kind != "ethernet" || counts(port, host)) {
        kinds.emplace(port.name, port.kind);
      }
    }
  }
  Json ports = Json::array();
  for (const auto& [name, kind] : kinds) {
    std::string sent;
    std::string errors;
    std::string active;
    for (const auto& host : of_hosts) {
      const auto port = std::ranges::find(host.ports, name, &PortCounters::name);
      const bool has = port != host.ports.end();
      append(sent, has ? fmt::format("{}", port->sent_bytes) : "-");
      append(errors, has ? fmt::format("{}", port->errors) : "-");
      append(active, has ? (port->active ? "1" : "0") : "-");
    }
    ports.push_back({{"name", name},
                     {"kind", kind},
                     {"active", active},
                     {"sent_bytes", sent},
                     {"errors", errors}});
  }
  return {{"payload_bytes", payload},
          {"inside_bytes", inside},
          {"retransmits", retransmits},
          {"ports", std::move(ports)}};
}

}  // namespace beff
