// Memory of NVIDIA's devices by the CUDA driver API, of AMD's by the HIP runtime. What is declared
// here is the ABI that both have in common, as "CUDA Driver API" (NVIDIA, API reference manual,
// version 12) and "HIP runtime API reference" (AMD, ROCm documentation, versions 6 and 7) document
// it: addresses of devices are of the length of pointers. Functions with the suffix _v2 are those
// of 64-bit sizes, to which the names without it lead in NVIDIA's header.
#include "engines/common/memory/chosen_memory.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <type_traits>
#include <utility>

namespace beff {
namespace {

constexpr int kSuccess = 0;
constexpr int kOutOfMemory = 2;
constexpr int kNoDevice = 100;

/// The first of the libraries that can be loaded, which stays until the process ends: drivers have
/// threads of their own. Throws DeviceError.
void* load(const std::vector<const char*>& names) {
  std::string why;
  for (const char* name : names) {
    if (void* library = dlopen(name, RTLD_NOW | RTLD_LOCAL)) {
      return library;
    }
    const char* problem = dlerror();
    why += (why.empty() ? "" : "; ") + std::string(problem == nullptr ? name : problem);
  }
  throw DeviceError(fmt::format("no driver is found ({})", why));
}

}  // namespace

/// The symbols of a driver.
struct DriverFunctions {
  /// A function, which returns an error.
  template <class... Given>
  struct DriverCall {
    int (*function)(Given...);
    const char* name;
  };
  using Uuid = std::array<std::uint8_t, 16>;
  /// CUDA_MEMCPY2D, and since version 6 hip_Memcpy2D: each side has its pitch, and an address of
  /// the host or of a device.
  struct Copy2D {
    struct Side {
      std::size_t x = 0;
      std::size_t y = 0;
      int kind = 0;
      const void* host = nullptr;
      const void* device = nullptr;
      void* array = nullptr;
      std::size_t pitch = 0;
    };
    Side from;
    Side to;
    std::size_t width = 1;
    std::size_t height = 0;
  };

  bool is_hip;
  DriverCall<unsigned int> init;
  DriverCall<int*> version;
  DriverCall<int*> device_count;
  DriverCall<int*, int> device;
  DriverCall<char*, int, int> device_name;
  DriverCall<std::size_t*, int> device_memory;
  DriverCall<char*, int, int> pci_address;
  DriverCall<Uuid*, int> uuid;  ///< of a part of a device: its own
  DriverCall<> synchronise;
  DriverCall<void**, std::size_t> allocate;
  DriverCall<void*> release;
  DriverCall<void*, unsigned char, std::size_t> fill;
  DriverCall<void*, const void*, std::size_t> to_device;
  DriverCall<void*, const void*, std::size_t> to_host;
  DriverCall<void*, const void*, std::size_t> on_device;
  DriverCall<std::size_t*, std::size_t*> left;  ///< bytes that are free, and all
  DriverCall<void*, std::size_t, unsigned int> lock_host;
  DriverCall<void*> unlock_host;
  DriverCall<const Copy2D*> copy_column;
  DriverCall<int*, int, int> attribute;    ///< of CUDA
  DriverCall<void**, int> retain_context;  ///< of CUDA
  DriverCall<void*> use_context;           ///< of CUDA
  DriverCall<int> use_device;              ///< of HIP
  int (*cuda_error)(int error, const char** text);
  const char* (*hip_error)(int error);

  explicit DriverFunctions(MemoryKind kind) : is_hip(kind == MemoryKind::kHip) {
    library_ = load(is_hip ? std::vector{"libamdhip64.so.7", "libamdhip64.so.6"}
                           : std::vector{"libcuda.so.1"});
    find(init, "cuInit", "hipInit");
    find(version, "cuDriverGetVersion", "hipDriverGetVersion");
    find(device_count, "cuDeviceGetCount", "hipGetDeviceCount");
    find(device, "cuDeviceGet", "hipDeviceGet");
    find(device_name, "cuDeviceGetName", "hipDeviceGetName");
    find(device_memory, "cuDeviceTotalMem_v2", "hipDeviceTotalMem");
    find(pci_address, "cuDeviceGetPCIBusId", "hipDeviceGetPCIBusId");
    find(uuid, "cuDeviceGetUuid_v2", "hipDeviceGetUuid");
    find(synchronise, "cuCtxSynchronize", "hipDeviceSynchronize");
    find(allocate, "cuMemAlloc_v2", "hipMalloc");
    find(release, "cuMemFree_v2", "hipFree");
    find(fill, "cuMemsetD8_v2", "hipMemsetD8");
    find(to_device, "cuMemcpyHtoD_v2", "hipMemcpyHtoD");
    find(to_host, "cuMemcpyDtoH_v2", "hipMemcpyDtoH");
    find(on_device, "cuMemcpyDtoD_v2", "hipMemcpyDtoD");
    find(left, "cuMemGetInfo_v2", "hipMemGetInfo");
    find(lock_host, "cuMemHostRegister_v2", "hipHostRegister");
    find(unlock_host, "cuMemHostUnregister", "hipHostUnregister");
    find(copy_column, "cuMemcpy2D_v2", "hipMemcpyParam2D");
    find(attribute, "cuDeviceGetAttribute", nullptr);
    find(retain_context, "cuDevicePrimaryCtxRetain", nullptr);
    find(use_context, "cuCtxSetCurrent", nullptr);
    find(use_device, nullptr, "hipSetDevice");
    cuda_error = is_hip ? nullptr : symbol<decltype(cuda_error)>("cuGetErrorName");
    hip_error = is_hip ? symbol<decltype(hip_error)>("hipGetErrorName") : nullptr;
  }

  /// Calls a function. Throws DeviceError where that fails.
  template <class... Given>
  void call(const DriverCall<Given...>& called, std::type_identity_t<Given>... given) const {
    check(called.function(given...), called.name);
  }

  /// Throws DeviceError where a call of `name` failed.
  void check(int result, const char* name) const {
    if (result == kSuccess) {
      return;
    }
    const char* text = nullptr;
    if (is_hip) {
      text = hip_error(result);
    } else if (cuda_error(result, &text) != kSuccess) {
      text = nullptr;
    }
    throw DeviceError(
        fmt::format("{}: {}", name, text == nullptr ? fmt::format("error {}", result) : text));
  }

 private:
  template <class... Given>
  void find(DriverCall<Given...>& wanted, const char* cuda, const char* hip) const {
    const char* name = is_hip ? hip : cuda;
    wanted = {name == nullptr ? nullptr : symbol<int (*)(Given...)>(name), name};
  }

  /// Throws DeviceError where the library has no such function.
  template <class Function>
  [[nodiscard]] Function symbol(const char* name) const {
    void* address = dlsym(library_, name);
    if (address == nullptr) {
      throw DeviceError(fmt::format("the driver has no function {}: it is too old", name));
    }
    return reinterpret_cast<Function>(address);
  }

  void* library_ = nullptr;
};

namespace {

/// That of the device that the thread has chosen, as MPI and its transports see it as well; of CUDA
/// in the primary context, which is left to the end of the process: MPI may have to do with the
/// device until MPI_Finalize.
class DeviceMemory final : public BufferMemory {
 public:
  DeviceMemory(std::shared_ptr<const DriverFunctions> driver, int ordinal, std::string name)
      : driver_(std::move(driver)), name_(std::move(name)) {
    if (driver_->is_hip) {
      driver_->call(driver_->use_device, ordinal);
      return;
    }
    int device = 0;
    void* context = nullptr;
    driver_->call(driver_->device, &device, ordinal);
    driver_->call(driver_->retain_context, &context, device);
    driver_->call(driver_->use_context, context);
  }

  [[nodiscard]] char* allocate(Bytes bytes, std::size_t /*alignment*/) override {
    void* address = nullptr;
    const auto result = driver_->allocate.function(&address, static_cast<std::size_t>(bytes));
    if (result == kOutOfMemory) {
      throw OutOfDeviceMemory(what_is_left(bytes));
    }
    driver_->check(result, driver_->allocate.name);
    allocated_.emplace(address, bytes);
    return static_cast<char*>(address);
  }
  void release(char* memory) noexcept override {
    driver_->release.function(memory);
    allocated_.erase(memory);
  }
  void fill(char* memory, unsigned char byte, Bytes bytes) override {
    driver_->call(driver_->fill, memory, byte, static_cast<std::size_t>(bytes));
  }
  void write(char* to, const void* from, Bytes bytes) override {
    driver_->call(driver_->to_device, to, from, static_cast<std::size_t>(bytes));
  }
  void read(void* to, const char* from, Bytes bytes) override {
    driver_->call(driver_->to_host, to, from, static_cast<std::size_t>(bytes));
  }
  void write_column(char* to, const char* from, Bytes pitch, Bytes rows) override {
    copy_column({.kind = kHost, .host = from, .pitch = 1},
                {.kind = kDevice, .device = to, .pitch = static_cast<std::size_t>(pitch)}, rows);
  }
  void read_column(char* to, const char* from, Bytes pitch, Bytes rows) override {
    copy_column({.kind = kDevice, .device = from, .pitch = static_cast<std::size_t>(pitch)},
                {.kind = kHost, .host = to, .pitch = 1}, rows);
  }
  void copy(char* to, const char* from, Bytes bytes) override {
    driver_->call(driver_->on_device, to, from, static_cast<std::size_t>(bytes));
  }
  bool lock_host(void* memory, Bytes bytes) override {
    return driver_->lock_host.function(memory, static_cast<std::size_t>(bytes), 0) == kSuccess;
  }
  void unlock_host(void* memory) noexcept override { driver_->unlock_host.function(memory); }
  void synchronise() override { driver_->call(driver_->synchronise); }

 private:
  using Copy2D = DriverFunctions::Copy2D;
  static constexpr int kHost = 1;  ///< CUmemorytype, hipMemoryType
  static constexpr int kDevice = 2;

  void copy_column(const Copy2D::Side& from, const Copy2D::Side& to, Bytes rows) {
    const Copy2D copy{.from = from, .to = to, .width = 1, .height = static_cast<std::size_t>(rows)};
    driver_->call(driver_->copy_column, &copy);
  }

  /// Of other processes is what neither this one has allocated nor is free.
  [[nodiscard]] std::string what_is_left(Bytes needed) const {
    std::size_t free = 0;
    std::size_t total = 0;
    driver_->call(driver_->left, &free, &total);
    auto others = static_cast<Bytes>(total - free);
    for (const auto& [address, bytes] : allocated_) {
      others -= bytes;
    }
    return fmt::format("{} has not {} left: of its {} are {} free and {} in use by others", name_,
                       format_size(needed), format_size(static_cast<Bytes>(total)),
                       format_size(static_cast<Bytes>(free)), format_size(others));
  }

  std::shared_ptr<const DriverFunctions> driver_;
  std::string name_;
  std::map<void*, Bytes> allocated_;
};

/// CUDA's numbers are 1000 · major + 10 · minor.
std::string version_text(const DriverFunctions& driver) {
  int version = 0;
  driver.call(driver.version, &version);
  return driver.is_hip ? fmt::format("HIP {}.{}.{}", version / 10'000'000,
                                     version % 10'000'000 / 100'000, version % 100'000)
                       : fmt::format("CUDA {}.{}", version / 1000, version % 1000 / 10);
}

/// How processes can share it, as far as the driver says: in its name, or since CUDA 12.4 by an
/// attribute.
std::string sharing_of(const DriverFunctions& driver, const std::string& name, int device) {
  if (name.find(" MIG ") != std::string::npos) {
    return "MIG";
  }
  constexpr int kMpsEnabled = 133;  // CU_DEVICE_ATTRIBUTE_MPS_ENABLED
  int enabled = 0;
  const bool says =
      !driver.is_hip && driver.attribute.function(&enabled, kMpsEnabled, device) == kSuccess;
  return says && enabled != 0 ? "MPS" : "";
}

Device describe(const DriverFunctions& driver, int ordinal) {
  constexpr int kLongestName = 256;
  std::array<char, kLongestName> name{};
  std::array<char, kLongestName> address{};
  std::size_t bytes = 0;
  int device = 0;
  DriverFunctions::Uuid uuid{};
  driver.call(driver.device, &device, ordinal);
  driver.call(driver.device_name, name.data(), kLongestName - 1, device);
  driver.call(driver.device_memory, &bytes, device);
  driver.call(driver.pci_address, address.data(), kLongestName - 1,
              driver.is_hip ? ordinal : device);
  driver.call(driver.uuid, &uuid, device);
  Device description;
  description.name = name.data();
  description.api = version_text(driver);
  description.sharing = sharing_of(driver, description.name, device);
  description.pci_address = address.data();
  description.part = fmt::format("{:02x}", fmt::join(uuid, ""));
  description.memory = static_cast<Bytes>(bytes);
  return description;
}

}  // namespace

DeviceDriver::DeviceDriver(MemoryKind kind)
    : driver_(std::make_shared<const DriverFunctions>(kind)) {
  const auto result = driver_->init.function(0);
  has_devices_ = result != kNoDevice;
  if (has_devices_) {
    driver_->check(result, driver_->init.name);
  }
}

std::vector<Device> DeviceDriver::devices() const {
  int count = 0;
  if (has_devices_) {
    driver_->call(driver_->device_count, &count);
  }
  std::vector<Device> devices;
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    devices.push_back(describe(*driver_, ordinal));
  }
  return devices;
}

std::unique_ptr<BufferMemory> DeviceDriver::memory_of(int number, const Device& device) const {
  return std::make_unique<DeviceMemory>(
      driver_, number, fmt::format("device {} ({})", device.pci_address, device.name));
}

}  // namespace beff
