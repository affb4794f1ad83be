#pragma once

#include <dlfcn.h>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "core/record/device_buffers.hpp"
#include "engines/common/memory/memory.hpp"

namespace beff {

/// As drivers return it.
using DeviceUuid = std::array<std::uint8_t, 16>;
[[nodiscard]] std::string text_of(const DeviceUuid& uuid);

/// The driver of a kind of device, found at run time: this program is linked with none.
class DeviceDriver {
 public:
  DeviceDriver() = default;
  DeviceDriver(const DeviceDriver&) = delete;
  DeviceDriver(DeviceDriver&&) = delete;
  DeviceDriver& operator=(const DeviceDriver&) = delete;
  DeviceDriver& operator=(DeviceDriver&&) = delete;
  virtual ~DeviceDriver() = default;

  /// Those that this process sees, in the driver's order, without what the system says of them.
  /// Throws DeviceError.
  [[nodiscard]] virtual std::vector<Device> devices() const = 0;
  /// Memory of a device by its place in devices(); the driver may end before it. Throws
  /// DeviceError.
  [[nodiscard]] virtual std::unique_ptr<BufferMemory> memory_of(int device) const = 0;
};

/// Throws DeviceError where there is no such driver, or one that lacks a function.
[[nodiscard]] std::unique_ptr<DeviceDriver> open_driver(MemoryKind kind);

// Each in its file.
[[nodiscard]] std::unique_ptr<DeviceDriver> open_cuda();
[[nodiscard]] std::unique_ptr<DeviceDriver> open_hip();
[[nodiscard]] std::unique_ptr<DeviceDriver> open_level_zero();

/// A library that stays loaded until the process ends: drivers have threads of their own.
class DriverLibrary {
 public:
  /// The first of the names that can be loaded. Throws DeviceError.
  explicit DriverLibrary(std::initializer_list<const char*> names);

  /// Sets `function` to that of the name. Throws DeviceError where the library has none.
  template <class Function>
  void find(Function*& function, const char* name) const {
    function = reinterpret_cast<Function*>(address_of(name));
  }

 private:
  [[nodiscard]] void* address_of(const char* name) const;

  void* handle_ = nullptr;
  std::string name_;
};

}  // namespace beff
