#include "core/record/counters.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <utility>

#include "core/record/json.hpp"
#include "core/record/result.hpp"

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

/// A column of numbers, one of each host, with blanks between them; `-` where it is not known, and
/// `NUMBERxCOUNT` for equal neighbours.
template <class Host, class Cell>
std::string host_column(const std::vector<Host>& of_hosts, const Cell& cell) {
  std::string text;
  for (std::size_t i = 0; i < of_hosts.size();) {
    const auto number = std::optional<std::int64_t>(cell(of_hosts[i]));
    std::size_t behind = i + 1;
    while (behind < of_hosts.size() &&
           std::optional<std::int64_t>(cell(of_hosts[behind])) == number) {
      ++behind;
    }
    text += text.empty() ? "" : " ";
    text += number ? fmt::format("{}", *number) : "-";
    if (behind - i > 1) {
      text += fmt::format("x{}", behind - i);
    }
    i = behind;
  }
  return text;
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

/// Ports that counted less of what was sent did not carry it.
constexpr double kSeen = 0.5;
/// A port that counted less of what left is not named.
constexpr double kNamed = 0.02;

std::string amount(std::int64_t bytes) {
  constexpr std::array<std::pair<const char*, double>, 3> kUnits{
      {{"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}}};
  const auto count = static_cast<double>(bytes);
  for (const auto& [unit, size] : kUnits) {
    if (count >= size) {
      return fmt::format("{:.3g} {}", count / size, unit);
    }
  }
  return fmt::format("{} byte", bytes);
}

bool leaves_host(const PortCounters& port) { return port.kind != "loopback"; }

bool most_of(std::int64_t part, std::int64_t whole) {
  return static_cast<double>(part) >= kSeen * static_cast<double>(whole);
}

/// `98 % by mlx5_0/1, 2 % by eth0`, the largest first; `verb` stands in the first.
std::string shares_text(const std::map<std::string, std::int64_t>& sent, std::int64_t left,
                        const char* verb = "") {
  std::vector<std::pair<std::int64_t, std::string>> parts;
  for (const auto& [name, bytes] : sent) {
    if (static_cast<double>(bytes) >= kNamed * static_cast<double>(left)) {
      parts.emplace_back(bytes, name);
    }
  }
  std::ranges::stable_sort(parts, std::greater{}, &std::pair<std::int64_t, std::string>::first);
  std::vector<std::string> texts;
  for (const auto& [bytes, name] : parts) {
    constexpr double kPercent = 100;
    texts.push_back(fmt::format("{:.0f} %{} by {}",
                                kPercent * static_cast<double>(bytes) / static_cast<double>(left),
                                texts.empty() ? verb : "", name));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

/// An active RDMA port of a host of which messages left by a slower interface, and the latter; null
/// where there is none.
std::pair<const PortCounters*, const PortCounters*> unused_rdma(const HostWires& host) {
  const PortCounters* used = nullptr;
  std::int64_t left = 0;
  for (const auto& port : host.ports) {
    if (leaves_host(port)) {
      left += port.sent_bytes;
      used = used == nullptr || port.sent_bytes > used->sent_bytes ? &port : used;
    }
  }
  const auto payload = host.payload_bytes.value_or(0);
  if (payload == 0 || used == nullptr || used->kind != "ethernet" || !most_of(left, payload)) {
    return {};
  }
  std::int64_t by_rdma = 0;
  const PortCounters* unused = nullptr;
  for (const auto& port : host.ports) {
    const bool is_slower = port.bytes_per_s && port.bytes_per_s < used->bytes_per_s;
    if (port.kind == "rdma" && port.active && !is_slower) {
      by_rdma += port.sent_bytes;
      unused = unused == nullptr ? &port : unused;
    }
  }
  if (unused == nullptr || most_of(by_rdma, payload)) {
    return {};
  }
  return {unused, used};
}

/// Of the time; the same as in python/beff/verify/common/wires.py.
constexpr double kDisturbs = 0.05;

double share_of(const std::optional<std::int64_t>& part_ms, std::int64_t elapsed_ms) {
  return elapsed_ms > 0 ? static_cast<double>(part_ms.value_or(0)) / static_cast<double>(elapsed_ms)
                        : 0;
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

std::string wires_text(const std::vector<HostWires>& of_hosts) {
  if (of_hosts.empty()) {
    return "not known";
  }
  const auto recorded = recorded_ports(of_hosts);
  std::int64_t payload = 0;
  std::int64_t inside = 0;
  std::int64_t looped = 0;
  std::int64_t left = 0;
  std::map<std::string, std::int64_t> sent;
  for (const auto& host : of_hosts) {
    payload += host.payload_bytes.value_or(0);
    inside += host.inside_bytes.value_or(0);
    for (const auto& port : host.ports) {
      if (!recorded.contains(port.name)) {
        continue;
      }
      (leaves_host(port) ? left : looped) += port.sent_bytes;
      if (leaves_host(port)) {
        sent[port.name] += port.sent_bytes;
      }
    }
  }
  const auto loop = fmt::format("{} went through lo", amount(looped));
  if (!of_hosts.front().payload_bytes) {
    return left > 0 ? fmt::format("{} left, messages and files: {}; {}", amount(left),
                                  shares_text(sent, left), loop)
                    : "nothing left the host; " + loop;
  }
  const auto unseen = most_of(left, payload) ? 0 : payload;
  const bool is_tcp = inside + unseen > 0 && most_of(looped, inside + unseen);
  if (is_tcp && unseen == payload) {
    return loop + ": TCP inside of one machine";
  }
  if (payload == 0) {
    return "nothing left the host: shared memory";
  }
  const auto text = most_of(left, payload)
                        ? shares_text(sent, left, " left")
                        : fmt::format("of {} the ports counted {}: what carried it is not known",
                                      amount(payload), amount(left));
  return is_tcp ? fmt::format("{}; {}: TCP inside of hosts", text, loop) : text;
}

void add_wires_cautions(std::vector<Statement>& cautions, const std::vector<HostWires>& of_hosts,
                        const std::vector<Host>& hosts) {
  std::map<std::pair<std::string, std::string>, std::pair<std::int64_t, std::vector<Host>>> found;
  for (std::size_t i = 0; i < of_hosts.size(); ++i) {
    const auto [unused, used] = unused_rdma(of_hosts[i]);
    if (used != nullptr) {
      auto& [bytes, names] = found[{used->name, unused->name}];
      bytes += used->sent_bytes;
      names.push_back(hosts.at(i));
    }
  }
  for (const auto& [ports, what] : found) {
    cautions.push_back({"unused RDMA",
                        {{"sent_bytes", what.first},
                         {"by", ports.first},
                         {"unused", ports.second},
                         {"hosts", compressed_host_list(what.second)}}});
  }
}

Json load_json(const std::vector<HostLoad>& of_hosts) {
  if (of_hosts.empty()) {
    return nullptr;
  }
  const auto of = [&](auto member) {
    return host_column(of_hosts, [&](const HostLoad& host) { return host.*member; });
  };
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
  return busy.empty() ? ""
                      : fmt::format(
                            "processes of {} did not have up to {:.0f} % of the time: other "
                            "programs, a hypervisor or a quota had it",
                            compressed_host_list(busy), 100 * most);
}

}  // namespace beff
