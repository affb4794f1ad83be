#include "core/record/device_buffers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

#include "core/record/json.hpp"

namespace beff {
namespace {

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json device_json(const UsedDevice& used) {
  const auto& device = used.device;
  return {{"name", device.name},
          {"driver", text_or_null(device.driver)},
          {"api", device.api},
          {"sharing", text_or_null(device.sharing)},
          {"pci_address", device.pci_address},
          {"on_pci_bus", device.on_pci_bus},
          {"numa_node", or_null(device.numa_node)},
          {"memory_bytes", device.memory},
          {"processes", used.processes}};
}

Json devices_json(const std::vector<UsedDevice>& devices) {
  return json_list(devices, device_json);
}

std::string device_text(const UsedDevice& used) {
  const auto& device = used.device;
  return fmt::format("{} ({}, {}{}{}, {}{}) of {} {}", device.name, format_size(device.memory),
                     device.api, device.driver.empty() ? "" : ", driver " + device.driver,
                     device.sharing.empty() ? "" : ", " + device.sharing, device.pci_address,
                     device.numa_node ? fmt::format(", NUMA node {}", *device.numa_node) : "",
                     used.processes.size() == 1 ? "process" : "processes",
                     fmt::join(used.processes, ","));
}

}  // namespace

bool DeviceBuffers::all_on_pci_bus() const {
  return std::ranges::all_of(hosts, [](const DeviceHosts& group) {
    return std::ranges::all_of(group.devices,
                               [](const UsedDevice& used) { return used.device.on_pci_bus; });
  });
}

const UsedDevice& DeviceBuffers::most_shared() const {
  const UsedDevice* most = &hosts.at(0).devices.at(0);
  for (const auto& group : hosts) {
    for (const auto& used : group.devices) {
      most = used.processes.size() > most->processes.size() ? &used : most;
    }
  }
  return *most;
}

namespace {

/// What ran on a real device.
struct SeenRow {
  MemoryKind kind;
  int driver;                ///< major version
  std::string_view library;  ///< begin of what it says of itself; empty: gets no such buffers
  std::string_view transport;
};

constexpr std::array kSeenOnDevices{
    SeenRow{MemoryKind::kCuda, 580, "Intel(R) MPI Library 2021.19", ""},
    SeenRow{MemoryKind::kCuda, 580, "Open MPI v5.0.7", "UCX 1.22"},
    SeenRow{MemoryKind::kCuda, 580, "Open MPI v5.0.7", "ob1"},
    SeenRow{MemoryKind::kCuda, 580, "", ""},
};

int major_version(const std::string& driver) {
  int number = 0;
  std::from_chars(driver.data(), driver.data() + driver.size(), number);
  return number;
}

}  // namespace

bool was_seen(const DeviceBuffers& buffers, std::string_view mpi_library) {
  return std::ranges::any_of(kSeenOnDevices, [&](const SeenRow& seen) {
    const bool is_library = seen.library.empty()
                                ? buffers.files_through_host
                                : mpi_library.starts_with(seen.library) &&
                                      buffers.transport.starts_with(seen.transport);
    return is_library && seen.kind == buffers.kind &&
           std::ranges::all_of(buffers.hosts, [&](const DeviceHosts& group) {
             return std::ranges::all_of(group.devices, [&](const UsedDevice& used) {
               return major_version(used.device.driver) >= seen.driver;
             });
           });
  });
}

std::vector<int> assigned_devices(const std::vector<std::optional<int>>& nodes_of_processes,
                                  const std::vector<std::optional<int>>& nodes_of_devices) {
  const auto devices = nodes_of_devices.size();
  const auto most = (nodes_of_processes.size() + devices - 1) / devices;
  std::vector<std::size_t> users(devices, 0);
  std::vector<int> assigned;
  for (const auto& node : nodes_of_processes) {
    // false stands before true: near, with room, few users, low number
    const auto rank_of = [&](std::size_t device) {
      const bool is_near = node && nodes_of_devices[device] == node;
      return std::tuple(users[device] >= most, !is_near, users[device], device);
    };
    std::size_t best = 0;
    for (std::size_t device = 1; device < devices; ++device) {
      best = rank_of(device) < rank_of(best) ? device : best;
    }
    ++users[best];
    assigned.push_back(static_cast<int>(best));
  }
  return assigned;
}

std::vector<DeviceHosts> equal_device_hosts(const std::vector<Host>& hosts,
                                            const std::vector<int>& placement,
                                            const std::vector<Device>& devices) {
  std::vector<std::vector<UsedDevice>> of_hosts(hosts.size());
  std::vector<int> processes(hosts.size(), 0);
  for (std::size_t rank = 0; rank < devices.size(); ++rank) {
    const auto host = static_cast<std::size_t>(placement.at(rank));
    const auto same = std::ranges::find_if(
        of_hosts.at(host), [&](const UsedDevice& used) { return used.device.is(devices[rank]); });
    auto& used =
        same == of_hosts[host].end()
            ? of_hosts[host].emplace_back(UsedDevice{.device = devices[rank], .processes = {}})
            : *same;
    used.processes.push_back(processes[host]++);
  }
  return grouped<DeviceHosts>(hosts, of_hosts, [](const std::vector<UsedDevice>& used) {
    return json_text(devices_json(used));
  });
}

Json to_json(const std::optional<DeviceBuffers>& buffers) {
  if (!buffers) {
    return nullptr;
  }
  return {{"memory", to_string(buffers->kind)},
          {"mpi_said", text_or_null(buffers->mpi_said)},
          {"transport", text_or_null(buffers->transport)},
          {"confirmed", buffers->confirmed},
          {"roofs", buffers->roofs ? Json{{"on_device_MBps", buffers->roofs->on_device},
                                          {"through_host_MBps", buffers->roofs->through_host}}
                                   : Json(nullptr)},
          {"files_through_host", buffers->files_through_host},
          {"hosts", json_list(buffers->hosts, [](const DeviceHosts& group) {
             return Json{{"hosts", group.hosts}, {"devices", devices_json(group.devices)}};
           })}};
}

std::string buffers_text(const std::optional<DeviceBuffers>& buffers) {
  std::string text;
  if (buffers) {
    text = fmt::format("Buffers in {} memory, {}\n", to_string(buffers->kind),
                       buffers->files_through_host
                           ? "files through a buffer of the host, inside the clock"
                       : buffers->mpi_said.empty() ? "although MPI does not say that it takes them"
                                                   : "which MPI takes by " + buffers->mpi_said);
    for (const auto& [hosts, devices] : buffers->hosts) {
      std::vector<std::string> texts;
      std::ranges::transform(devices, std::back_inserter(texts), device_text);
      text += fmt::format("Devices of {}: {}\n", hosts, fmt::join(texts, "; "));
    }
  }
  return text;
}

}  // namespace beff
