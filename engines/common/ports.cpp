#include "engines/common/ports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>

#include "engines/common/system_files.hpp"

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

}  // namespace beff
