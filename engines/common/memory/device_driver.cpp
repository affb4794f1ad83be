#include "engines/common/memory/device_driver.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace beff {

DriverLibrary::DriverLibrary(std::initializer_list<const char*> names) {
  std::string why;
  for (const char* name : names) {
    handle_ = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (handle_ != nullptr) {
      name_ = name;
      return;
    }
    const char* said = dlerror();
    why += (why.empty() ? "" : "; ") + std::string(said == nullptr ? name : said);
  }
  throw DeviceError(fmt::format("no driver is found ({})", why));
}

void* DriverLibrary::address_of(const char* name) const {
  void* address = dlsym(handle_, name);
  if (address == nullptr) {
    throw DeviceError(
        fmt::format("the driver's {} has no function {}: it is too old", name_, name));
  }
  return address;
}

std::string text_of(const DeviceUuid& uuid) { return fmt::format("{:02x}", fmt::join(uuid, "")); }

std::unique_ptr<DeviceDriver> open_driver(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::kCuda:
      return open_cuda();
    case MemoryKind::kHip:
      return open_hip();
    case MemoryKind::kLevelZero:
      return open_level_zero();
    case MemoryKind::kHost:
      break;
  }
  throw DeviceError("the memory of a host has no driver");
}

}  // namespace beff
