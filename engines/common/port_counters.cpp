#include "engines/common/port_counters.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "engines/common/ports.hpp"
#include "engines/common/system_files.hpp"

namespace beff {
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
  constexpr double kBytesPerMB = 1e6;
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
    const auto place = std::ranges::find(names, "RetransSegs") - names.begin();
    return static_cast<std::size_t>(place) < cells.size()
               ? std::stoll(cells[static_cast<std::size_t>(place)])
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
