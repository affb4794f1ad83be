// Memory of AMD's devices by the HIP runtime. What is declared here is its ABI as "HIP runtime API
// reference" (AMD, ROCm documentation, versions 6 and 7) documents it: modules Initialization and
// version, Device management, Error handling, Memory management.
#include <fmt/format.h>

#include <array>
#include <cstddef>

#include "engines/common/memory/device_driver.hpp"

namespace beff {
namespace {

using HipResult = int;
using HipDevice = int;

constexpr HipResult kHipSuccess = 0;
constexpr HipResult kHipOutOfMemory = 2;
constexpr HipResult kHipNoDevice = 100;
constexpr int kHipToDevice = 1;  // hipMemcpyHostToDevice
constexpr int kHipToHost = 2;    // hipMemcpyDeviceToHost

struct HipFunctions {
  HipResult (*init)(unsigned int flags);
  HipResult (*driver_version)(int* version);
  const char* (*error_name)(HipResult error);
  HipResult (*device_count)(int* count);
  HipResult (*device)(HipDevice* device, int ordinal);
  HipResult (*device_name)(char* name, int length, HipDevice device);
  HipResult (*device_memory)(std::size_t* bytes, HipDevice device);
  HipResult (*pci_address)(char* address, int length, int ordinal);
  HipResult (*uuid)(DeviceUuid* uuid, HipDevice device);
  HipResult (*use_device)(int ordinal);
  HipResult (*synchronise)();
  HipResult (*allocate)(void** address, std::size_t bytes);
  HipResult (*release)(void* address);
  HipResult (*fill)(void* address, int byte, std::size_t bytes);
  HipResult (*copy)(void* to, const void* from, std::size_t bytes, int kind);

  explicit HipFunctions(const DriverLibrary& library) {
    library.find(init, "hipInit");
    library.find(driver_version, "hipDriverGetVersion");
    library.find(error_name, "hipGetErrorName");
    library.find(device_count, "hipGetDeviceCount");
    library.find(device, "hipDeviceGet");
    library.find(device_name, "hipDeviceGetName");
    library.find(device_memory, "hipDeviceTotalMem");
    library.find(pci_address, "hipDeviceGetPCIBusId");
    library.find(uuid, "hipDeviceGetUuid");
    library.find(use_device, "hipSetDevice");
    library.find(synchronise, "hipDeviceSynchronize");
    library.find(allocate, "hipMalloc");
    library.find(release, "hipFree");
    library.find(fill, "hipMemset");
    library.find(copy, "hipMemcpy");
  }

  /// Throws DeviceError where a call of `name` failed.
  void check(HipResult result, const char* name) const {
    if (result != kHipSuccess) {
      throw DeviceError(fmt::format("{}: {}", name, error_name(result)));
    }
  }
};

/// That of the device that the thread has chosen, as MPI and its transports see it as well.
class HipMemory final : public BufferMemory {
 public:
  HipMemory(const HipFunctions& hip, int ordinal) : hip_(hip) {
    hip_.check(hip_.use_device(ordinal), "hipSetDevice");
  }

  [[nodiscard]] char* allocate(Bytes bytes, std::size_t /*alignment*/) override {
    void* address = nullptr;
    const auto result = hip_.allocate(&address, static_cast<std::size_t>(bytes));
    if (result == kHipOutOfMemory) {
      throw std::bad_alloc();
    }
    hip_.check(result, "hipMalloc");
    return static_cast<char*>(address);
  }
  void release(char* memory) noexcept override { hip_.release(memory); }
  void fill(char* memory, unsigned char byte, Bytes bytes) override {
    hip_.check(hip_.fill(memory, byte, static_cast<std::size_t>(bytes)), "hipMemset");
  }
  void write(char* to, const void* from, Bytes bytes) override {
    hip_.check(hip_.copy(to, from, static_cast<std::size_t>(bytes), kHipToDevice), "hipMemcpy");
  }
  void read(void* to, const char* from, Bytes bytes) override {
    hip_.check(hip_.copy(to, from, static_cast<std::size_t>(bytes), kHipToHost), "hipMemcpy");
  }
  void synchronise() override { hip_.check(hip_.synchronise(), "hipDeviceSynchronize"); }

 private:
  HipFunctions hip_;
};

class HipDriver final : public DeviceDriver {
 public:
  HipDriver() : hip_(DriverLibrary({"libamdhip64.so.7", "libamdhip64.so.6"})) {
    const auto result = hip_.init(0);
    if (result != kHipNoDevice) {
      hip_.check(result, "hipInit");
    }
    has_devices_ = result != kHipNoDevice;
  }

  [[nodiscard]] std::vector<Device> devices() const override {
    int count = 0;
    int version = 0;
    if (has_devices_) {
      hip_.check(hip_.driver_version(&version), "hipDriverGetVersion");
      hip_.check(hip_.device_count(&count), "hipGetDeviceCount");
    }
    std::vector<Device> devices;
    for (int ordinal = 0; ordinal < count; ++ordinal) {
      devices.push_back(describe(ordinal, version));
    }
    return devices;
  }

  [[nodiscard]] std::unique_ptr<BufferMemory> memory_of(int device) const override {
    return std::make_unique<HipMemory>(hip_, device);
  }

 private:
  [[nodiscard]] Device describe(int ordinal, int version) const {
    constexpr int kLongestName = 256;
    constexpr int kMajor = 10'000'000;
    constexpr int kMinor = 100'000;
    std::array<char, kLongestName> name{};
    std::array<char, kLongestName> address{};
    std::size_t bytes = 0;
    HipDevice device = 0;
    DeviceUuid uuid{};
    hip_.check(hip_.device(&device, ordinal), "hipDeviceGet");
    hip_.check(hip_.device_name(name.data(), kLongestName - 1, device), "hipDeviceGetName");
    hip_.check(hip_.device_memory(&bytes, device), "hipDeviceTotalMem");
    hip_.check(hip_.pci_address(address.data(), kLongestName - 1, ordinal), "hipDeviceGetPCIBusId");
    hip_.check(hip_.uuid(&uuid, device), "hipDeviceGetUuid");
    Device found;
    found.name = name.data();
    found.driver =
        fmt::format("HIP {}.{}.{}", version / kMajor, version % kMajor / kMinor, version % kMinor);
    found.pci_address = address.data();
    found.part = text_of(uuid);
    found.memory = static_cast<Bytes>(bytes);
    return found;
  }

  HipFunctions hip_;
  bool has_devices_ = false;
};

}  // namespace

std::unique_ptr<DeviceDriver> open_hip() { return std::make_unique<HipDriver>(); }

}  // namespace beff
