#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/record/hosts.hpp"
#include "core/record/json_fwd.hpp"
#include "core/units/quantity_text.hpp"

namespace beff {

/// Where the buffers lie that messages and files are moved from and to.
enum class MemoryKind : std::uint8_t { kHost, kCuda, kHip };

/// What is known of a kind of memory.
struct MemoryKindRow {
  MemoryKind kind;
  std::string_view name;
  std::string_view mpi_name;  ///< in `mpi_memory_alloc_kinds` (MPI 4.1 and its side document)
  std::uint32_t pci_vendor;   ///< of its devices, by the list of PCI identifiers
  std::string_view module;    ///< of the kernel, which has the driver's version
};

inline constexpr std::array kMemoryKinds{
    MemoryKindRow{MemoryKind::kHost, "host", "system", 0, ""},
    MemoryKindRow{MemoryKind::kCuda, "cuda", "cuda", 0x10de, "nvidia"},
    MemoryKindRow{MemoryKind::kHip, "hip", "rocm", 0x1002, "amdgpu"},
};

[[nodiscard]] constexpr const MemoryKindRow& row(MemoryKind kind) {
  return kMemoryKinds.at(static_cast<std::size_t>(kind));
}
[[nodiscard]] constexpr std::string_view to_string(MemoryKind kind) { return row(kind).name; }

/// A device as its driver and the system describe it.
struct Device {
  std::string name;
  std::string driver;            ///< version; empty where the system does not say it
  std::string api;               ///< version of the interface, `CUDA 13.0`
  std::string sharing;           ///< `MIG` of a part of a device, `MPS` of a shared one; or empty
  std::string pci_address;       ///< `0000:81:00.0`; empty where the driver does not say it
  bool on_pci_bus = false;       ///< the system has a device of this vendor there
  std::optional<int> numa_node;  ///< empty where not known
  Bytes memory = 0;
  std::string part;  ///< which one, where several have this PCI address; not recorded

  static auto fields(auto& device) {
    return std::tie(device.name, device.driver, device.api, device.sharing, device.pci_address,
                    device.on_pci_bus, device.numa_node, device.memory, device.part);
  }
  /// Whether both are the same device of a host.
  [[nodiscard]] bool is(const Device& other) const {
    return pci_address == other.pci_address && part == other.part;
  }
};

/// A device, and the processes that use it: by their number among those of their host.
struct UsedDevice {
  Device device;
  std::vector<int> processes;
};

/// Hosts with the same devices, used alike.
struct DeviceHosts {
  std::string hosts;  ///< compressed list
  std::vector<UsedDevice> devices;
};

/// What copies alone reach, in MB/s: the slowest process where all copy at the same time.
struct DeviceRoofs {
  double on_device = 0;     ///< from a place on the device to another
  double through_host = 0;  ///< to the host and from there to the device
};

/// Buffers in the memory of devices.
struct DeviceBuffers {
  MemoryKind kind = MemoryKind::kHost;
  std::string mpi_said;    ///< by what MPI says that it takes them; empty: by nothing
  std::string transport;   ///< that moves messages, as far as it is known
  bool confirmed = false;  ///< see was_seen()
  std::optional<DeviceRoofs> roofs{};
  bool files_through_host = false;  ///< calls on files go through a buffer of the host
  std::vector<DeviceHosts> hosts;

  /// Devices that the system shows, and all, one for each host.
  [[nodiscard]] bool all_on_pci_bus() const;
  /// The device of the most processes. There must be one.
  [[nodiscard]] const UsedDevice& most_shared() const;
};

/// Whether this program has run on a real device with such memory, a driver of this major version
/// or an earlier one, and this MPI library, by this transport: docs/how-to/gpu-buffers.md. Where
/// files go through the host, any library.
[[nodiscard]] bool was_seen(const DeviceBuffers& buffers, std::string_view mpi_library);

/// The device of each process of a host: as many processes on each, near ones first. NUMA nodes of
/// the processes in their order and of the devices, which there must be; empty where not known.
[[nodiscard]] std::vector<int> assigned_devices(
    const std::vector<std::optional<int>>& nodes_of_processes,
    const std::vector<std::optional<int>>& nodes_of_devices);

/// Hosts with the same devices together, in the order of the first of each: the device of each
/// rank, and the host that it lies on.
[[nodiscard]] std::vector<DeviceHosts> equal_device_hosts(const std::vector<Host>& hosts,
                                                          const std::vector<int>& placement,
                                                          const std::vector<Device>& devices);

/// Field `buffers` of the environment; null of the host's memory.
[[nodiscard]] Json to_json(const std::optional<DeviceBuffers>& buffers);

/// Lines of a protocol; empty of the host's memory.
[[nodiscard]] std::string buffers_text(const std::optional<DeviceBuffers>& buffers);

}  // namespace beff
