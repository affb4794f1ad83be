#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/device_buffers.hpp"
#include "engines/common/memory/memory.hpp"
#include "engines/common/mpi/nodes.hpp"
#include "engines/common/watch/watchdog.hpp"

namespace beff {

/// What the user says of where the buffers are to lie.
struct MemoryOptions {
  /// Empty: a device's, where there is exactly one kind and MPI says that it takes it.
  std::optional<MemoryKind> kind = MemoryKind::kHost;
  std::string devices = "local";  ///< or a file: a line for each process of a host, with its device
  bool unsafe = false;            ///< to go on where MPI does not say that it takes them
  bool files_through_host = false;  ///< of the program: MPI gets buffers of the host only

  [[nodiscard]] bool is_host() const { return kind == MemoryKind::kHost; }
  /// The argument of --memory.
  [[nodiscard]] std::string_view text() const { return kind ? to_string(*kind) : "auto"; }
};

/// What each process of a device has of its memory.
struct DeviceShare {
  Bytes of_device;
  int sharers;
};

/// Memory for the buffers of this process.
struct ChosenMemory {
  std::unique_ptr<BufferMemory> memory;
  std::optional<DeviceShare> share;      ///< empty of the host's memory
  std::optional<DeviceBuffers> buffers;  ///< for the result, on rank 0; empty of the host's memory
  std::string why_host;                  ///< by --memory auto; else empty
};

/// What to load or set where the MPI library in use does not take buffers of this kind, as the end
/// of a sentence.
[[nodiscard]] std::string way_to_support(MemoryKind kind);

/// Finds driver and device, and asks MPI. Throws UsageError on all ranks where some process has no
/// driver or device, or MPI does not take such buffers. Collective over MPI_COMM_WORLD.
[[nodiscard]] ChosenMemory choose_memory(const MemoryOptions& options, const Nodes& nodes,
                                         Watchdog& watchdog);

/// Lets all processes copy long blocks for a short time, at the same time; empty where a device has
/// no room for them. Collective over MPI_COMM_WORLD. Throws DeviceError.
[[nodiscard]] std::optional<DeviceRoofs> measure_roofs(BufferMemory& memory);

struct DriverFunctions;

/// The driver of a kind of device, found at run time: this program is linked with none.
class DeviceDriver {
 public:
  /// Throws DeviceError where there is no such driver, or one that lacks a function.
  explicit DeviceDriver(MemoryKind kind);

  /// Those that this process sees, in the driver's order, without what the system says of them.
  /// Throws DeviceError.
  [[nodiscard]] std::vector<Device> devices() const;
  /// Memory of a device by its number, the place in devices(); the driver may end before it. Throws
  /// DeviceError.
  [[nodiscard]] std::unique_ptr<BufferMemory> memory_of(int number, const Device& device) const;

 private:
  std::shared_ptr<const DriverFunctions> driver_;
  bool has_devices_ = false;
};

}  // namespace beff
