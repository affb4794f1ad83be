#include "engines/common/counters/counters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "engines/common/host/host.hpp"

namespace beff {
namespace {

namespace fs = std::filesystem;

constexpr double kMbitPerMB = 8;
constexpr double kMBPerGbit = 125;

/// The number that a file begins with.
std::optional<double> number_in(const fs::path& path) {
  std::ifstream file(path);
  double number = 0;
  return file >> number ? std::optional(number) : std::nullopt;
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  });
  return text;
}

/// The number in a file times `factor`; one without a rate says -1.
std::optional<double> rate_in(const fs::path& path, double factor) {
  const auto number = number_in(path);
  return number && *number > 0 ? std::optional(*number * factor) : std::nullopt;
}

void add_infiniband(const fs::path& sys, std::vector<Port>& ports) {
  for (const auto& device : sorted_entries(sys / "class/infiniband")) {
    for (const auto& port : sorted_entries(device / "ports")) {
      if (line_in(port / "link_layer") == "Ethernet" || is_there(device / "device/physfn")) {
        continue;
      }
      // "4: ACTIVE", "200 Gb/sec (4X HDR)"
      const auto text = lower(line_in(port / "state"));
      const auto state = text.substr(text.find_last_of(' ') + 1);
      ports.push_back({.name = device.filename().string() + "/" + port.filename().string(),
                       .kind = "infiniband",
                       .rate_MBps = state == "active" ? rdma_rate_MBps(port) : std::nullopt,
                       .state = state.empty() ? "unknown" : state});
    }
  }
}

void add_ethernet(const fs::path& sys, std::vector<Port>& ports) {
  for (const auto& port : sorted_entries(sys / "class/net")) {
    constexpr double kEthernet = 1;  // ARPHRD_ETHER
    const bool physical = is_there(port / "device") && !is_there(port / "device/physfn");
    if (!physical || number_in(port / "type") != kEthernet || is_there(port / "wireless")) {
      continue;
    }
    const auto state = lower(line_in(port / "operstate"));
    ports.push_back({.name = port.filename().string(),
                     .kind = "ethernet",
                     .rate_MBps = state == "up" ? interface_rate_MBps(port) : std::nullopt,
                     .state = state.empty() ? "unknown" : state});
  }
}

/// What the first byte of a PCI class says.
std::string kind_of_device(const std::string& pci_class) {
  const auto base = pci_class.substr(0, 4);
  if (base == "0x02") {
    return "network";
  }
  if (base == "0x01") {
    return "storage";
  }
  if (base == "0x06") {
    return "bridge";
  }
  return base == "0x03" || base == "0x12" ? "accelerator" : "other";
}

bool is_pci_address(const std::string& name) {
  constexpr std::size_t kDomainEnd = 4;  // 0000:81:00.0
  return name.size() > kDomainEnd && name[kDomainEnd] == ':';
}

/// Devices above this one up to its root port.
int depth_below_root_port(fs::path device) {
  int depth = 0;
  for (device = device.parent_path(); is_pci_address(device.filename().string());
       device = device.parent_path()) {
    ++depth;
  }
  return depth;
}

/// What both ends of a link can do.
std::optional<double> lesser_of_ends(const fs::path& device, const char* property) {
  const auto mine = number_in(device / property);
  const auto theirs = number_in(device.parent_path() / property);
  return mine && theirs ? std::optional(std::min(*mine, *theirs)) : mine;
}

/// Of a root port or a switch's downstream port the link is that of the device beneath it; so links
/// are those of devices one, three … beneath their root port.
bool has_link_above(const fs::path& device) { return depth_below_root_port(device) % 2 == 1; }

/// Each link against the lesser of its two ends, in lanes and in GT/s. An idle accelerator saves
/// power by a lower speed, so its speed says nothing.
void add_slow_links(const fs::path& sys, std::vector<std::string>& links) {
  for (const auto& entry : sorted_entries(sys / "bus/pci/devices")) {
    std::error_code problem;
    const auto device = fs::canonical(entry, problem);
    if (problem || !has_link_above(device)) {
      continue;
    }
    const auto kind = kind_of_device(line_in(device / "class"));
    const auto compare = [&](const char* current, const char* maximum, const char* unit) {
      const auto now = number_in(device / current);
      const auto possible = lesser_of_ends(device, maximum);
      if (now && possible && *now > 0 && *now < *possible) {
        links.push_back(fmt::format("{} ({}): {:g} of {:g} {}", device.filename().string(), kind,
                                    *now, *possible, unit));
      }
    };
    compare("current_link_width", "max_link_width", "lanes");
    if (kind != "accelerator") {
      compare("current_link_speed", "max_link_speed", "GT/s");
    }
  }
}

}  // namespace

std::optional<double> rdma_rate_MBps(const fs::path& port) {
  return rate_in(port / "rate", kMBPerGbit);
}

std::optional<double> interface_rate_MBps(const fs::path& interface) {
  return rate_in(interface / "speed", 1 / kMbitPerMB);
}

HostHardware read_host_hardware(const fs::path& sys) {
  HostHardware hardware;
  add_infiniband(sys, hardware.network);
  add_ethernet(sys, hardware.network);
  add_slow_links(sys, hardware.pcie_below_maximum);
  return hardware;
}

namespace {

namespace fs = std::filesystem;

/// Words of 4 byte in the standard counter; whole bytes where only the vendor counts.
std::optional<std::int64_t> sent_by_rdma(const fs::path& port) {
  constexpr std::int64_t kWord = 4;
  if (const auto words = count_in(port / "counters/port_xmit_data")) {
    return *words * kWord;
  }
  return count_in(port / "hw_counters/tx_bytes");
}

std::int64_t errors_of_rdma(const fs::path& port) {
  constexpr std::array kCounters{
      "counters/symbol_error",       "counters/link_error_recovery",
      "counters/link_downed",        "counters/port_rcv_errors",
      "counters/port_xmit_discards", "counters/local_link_integrity_errors",
      "hw_counters/packet_seq_err",  "hw_counters/local_ack_timeout_err",
      "hw_counters/retrans_pkts"};
  std::int64_t errors = 0;
  for (const char* counter : kCounters) {
    errors += count_in(port / counter).value_or(0);
  }
  return errors;
}

/// Byte per second of an active port.
std::optional<std::int64_t> rate(bool active, std::optional<double> MBps) {
  return active && MBps ? std::optional(std::llround(*MBps * kBytesPerMB)) : std::nullopt;
}

/// Where a device is attached; -1 says nowhere.
std::optional<int> numa_node(const fs::path& entry) {
  const auto node = count_in(entry / "device/numa_node").value_or(-1);
  return node >= 0 ? std::optional(static_cast<int>(node)) : std::nullopt;
}

void add_rdma(const fs::path& sys, std::vector<PortCounters>& ports) {
  for (const auto& device : sorted_entries(sys / "class/infiniband")) {
    for (const auto& port : sorted_entries(device / "ports")) {
      if (const auto sent = sent_by_rdma(port)) {
        const bool active = line_in(port / "state").find("ACTIVE") != std::string::npos;
        ports.push_back({.name = device.filename().string() + "/" + port.filename().string(),
                         .kind = "rdma",
                         .active = active,
                         .sent_bytes = *sent,
                         .bytes_per_s = rate(active, rdma_rate_MBps(port)),
                         .numa_node = numa_node(device),
                         .errors = errors_of_rdma(port)});
      }
    }
  }
}

/// An interface that sends by others, as a bond, a bridge, a VLAN; or by an RDMA port, which counts
/// the same bytes: IP over InfiniBand.
bool sends_by_others(const fs::path& interface) {
  const auto entries = sorted_entries(interface);
  const auto is_lower = [](const fs::path& entry) {
    return entry.filename().string().starts_with("lower_");
  };
  constexpr std::string_view kInfiniband = "32";  // ARPHRD_INFINIBAND
  return std::ranges::any_of(entries, is_lower) || is_there(interface / "bonding") ||
         is_there(interface / "bridge") || line_in(interface / "type") == kInfiniband ||
         line_in(interface / "uevent").find("DEVTYPE=vlan") != std::string::npos;
}

/// proc_pid_net(5): receive bytes, packets, errors and five more, then transmit bytes, packets,
/// errors, dropped, fifo, collisions, carrier, compressed.
void add_interfaces(const fs::path& sys, const fs::path& proc, std::vector<PortCounters>& ports) {
  constexpr std::size_t kColumns = 16;
  constexpr std::size_t kReceiveErrors = 2;
  constexpr std::size_t kSent = 8;
  constexpr std::size_t kSendErrors = 10;
  constexpr std::size_t kCarrier = 14;
  std::ifstream file(proc / "net/dev");
  for (std::string line; std::getline(file, line);) {
    const auto colon = line.find(':');
    if (colon == std::string::npos) {
      continue;
    }
    const auto begin = line.find_first_not_of(' ');
    const auto name = line.substr(begin, colon - begin);
    std::istringstream rest(line.substr(colon + 1));
    std::array<std::int64_t, kColumns> numbers{};
    for (auto& number : numbers) {
      rest >> number;
    }
    const auto interface = sys / "class/net" / name;
    if (rest.fail() || sends_by_others(interface)) {
      continue;
    }
    const bool active = line_in(interface / "operstate") != "down";
    ports.push_back({.name = name,
                     .kind = name == "lo" ? "loopback" : "ethernet",
                     .active = active,
                     .sent_bytes = numbers[kSent],
                     .bytes_per_s = rate(active, interface_rate_MBps(interface)),
                     .numa_node = numa_node(interface),
                     .errors = numbers[kReceiveErrors] + numbers[kSendErrors] + numbers[kCarrier]});
  }
}

/// RetransSegs of the rows `Tcp:`, names and numbers.
std::int64_t retransmitted_segments(const fs::path& proc) {
  std::ifstream file(proc / "net/snmp");
  std::vector<std::string> names;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("Tcp:")) {
      continue;
    }
    std::istringstream words(line);
    std::vector<std::string> cells;
    for (std::string word; words >> word;) {
      cells.push_back(word);
    }
    if (names.empty()) {
      names = cells;
      continue;
    }
    const auto column = std::ranges::find(names, "RetransSegs") - names.begin();
    return static_cast<std::size_t>(column) < cells.size()
               ? std::stoll(cells[static_cast<std::size_t>(column)])
               : 0;
  }
  return 0;
}

}  // namespace

HostWires read_port_counters(const fs::path& sys, const fs::path& proc) {
  HostWires wires;
  add_rdma(sys, wires.ports);
  add_interfaces(sys, proc, wires.ports);
  wires.retransmits = retransmitted_segments(proc);
  return wires;
}

}  // namespace beff
