// Memory of NVIDIA's devices by the CUDA driver API. What is declared here is its ABI as "CUDA
// Driver API" (NVIDIA, API reference manual, version 12) documents it: modules Initialization,
// Version, Device, Primary Context, Context and Memory Management; functions with the suffix _v2
// are those of 64-bit sizes, to which the names without it lead in NVIDIA's header.
#include <fmt/format.h>

#include <array>
#include <cstdint>

#include "engines/common/memory/device_driver.hpp"

namespace beff {
namespace {

using CudaResult = int;
using CudaDevice = int;
using CudaContext = struct CudaContextOfDriver*;
using CudaAddress = std::uint64_t;

constexpr CudaResult kSuccess = 0;
constexpr CudaResult kOutOfMemory = 2;
constexpr CudaResult kNoDevice = 100;

struct CudaFunctions {
  CudaResult (*init)(unsigned int flags);
  CudaResult (*driver_version)(int* version);
  CudaResult (*error_name)(CudaResult error, const char** text);
  CudaResult (*device_count)(int* count);
  CudaResult (*device)(CudaDevice* device, int ordinal);
  CudaResult (*device_name)(char* name, int length, CudaDevice device);
  CudaResult (*device_memory)(std::size_t* bytes, CudaDevice device);
  CudaResult (*pci_address)(char* address, int length, CudaDevice device);
  CudaResult (*uuid)(DeviceUuid* uuid, CudaDevice device);
  CudaResult (*retain_context)(CudaContext* context, CudaDevice device);
  CudaResult (*use_context)(CudaContext context);
  CudaResult (*synchronise)();
  CudaResult (*allocate)(CudaAddress* address, std::size_t bytes);
  CudaResult (*release)(CudaAddress address);
  CudaResult (*fill)(CudaAddress address, unsigned char byte, std::size_t bytes);
  CudaResult (*to_device)(CudaAddress to, const void* from, std::size_t bytes);
  CudaResult (*to_host)(void* to, CudaAddress from, std::size_t bytes);

  explicit CudaFunctions(const DriverLibrary& library) {
    library.find(init, "cuInit");
    library.find(driver_version, "cuDriverGetVersion");
    library.find(error_name, "cuGetErrorName");
    library.find(device_count, "cuDeviceGetCount");
    library.find(device, "cuDeviceGet");
    library.find(device_name, "cuDeviceGetName");
    library.find(device_memory, "cuDeviceTotalMem_v2");
    library.find(pci_address, "cuDeviceGetPCIBusId");
    library.find(uuid, "cuDeviceGetUuid_v2");  // of a part of a device: its own
    library.find(retain_context, "cuDevicePrimaryCtxRetain");
    library.find(use_context, "cuCtxSetCurrent");
    library.find(synchronise, "cuCtxSynchronize");
    library.find(allocate, "cuMemAlloc_v2");
    library.find(release, "cuMemFree_v2");
    library.find(fill, "cuMemsetD8_v2");
    library.find(to_device, "cuMemcpyHtoD_v2");
    library.find(to_host, "cuMemcpyDtoH_v2");
  }

  /// Throws DeviceError where a call of `name` failed.
  void check(CudaResult result, const char* name) const {
    if (result == kSuccess) {
      return;
    }
    const char* text = nullptr;
    const bool known = error_name(result, &text) == kSuccess && text != nullptr;
    throw DeviceError(fmt::format("{}: {}", name, known ? text : fmt::format("error {}", result)));
  }
};

CudaAddress address_of(const char* memory) { return reinterpret_cast<CudaAddress>(memory); }

/// That of a device's primary context, which MPI and its transports use as well. It is left to the
/// end of the process: MPI may have to do with the device until MPI_Finalize.
class CudaMemory final : public BufferMemory {
 public:
  CudaMemory(const CudaFunctions& cuda, CudaDevice device) : cuda_(cuda) {
    CudaContext context = nullptr;
    cuda_.check(cuda_.retain_context(&context, device), "cuDevicePrimaryCtxRetain");
    cuda_.check(cuda_.use_context(context), "cuCtxSetCurrent");
  }

  [[nodiscard]] char* allocate(Bytes bytes, std::size_t /*alignment*/) override {
    CudaAddress address = 0;
    const auto result = cuda_.allocate(&address, static_cast<std::size_t>(bytes));
    if (result == kOutOfMemory) {
      throw std::bad_alloc();
    }
    cuda_.check(result, "cuMemAlloc");
    return reinterpret_cast<char*>(address);  // NOLINT(performance-no-int-to-ptr): as MPI takes it
  }
  void release(char* memory) noexcept override { cuda_.release(address_of(memory)); }
  void fill(char* memory, unsigned char byte, Bytes bytes) override {
    cuda_.check(cuda_.fill(address_of(memory), byte, static_cast<std::size_t>(bytes)),
                "cuMemsetD8");
  }
  void write(char* to, const void* from, Bytes bytes) override {
    cuda_.check(cuda_.to_device(address_of(to), from, static_cast<std::size_t>(bytes)),
                "cuMemcpyHtoD");
  }
  void read(void* to, const char* from, Bytes bytes) override {
    cuda_.check(cuda_.to_host(to, address_of(from), static_cast<std::size_t>(bytes)),
                "cuMemcpyDtoH");
  }
  void synchronise() override { cuda_.check(cuda_.synchronise(), "cuCtxSynchronize"); }

 private:
  CudaFunctions cuda_;
};

class CudaDriver final : public DeviceDriver {
 public:
  CudaDriver() : cuda_(DriverLibrary({"libcuda.so.1"})) {
    const auto result = cuda_.init(0);
    if (result != kNoDevice) {
      cuda_.check(result, "cuInit");
    }
    has_devices_ = result != kNoDevice;
  }

  [[nodiscard]] std::vector<Device> devices() const override {
    int count = 0;
    int version = 0;
    if (has_devices_) {
      cuda_.check(cuda_.driver_version(&version), "cuDriverGetVersion");
      cuda_.check(cuda_.device_count(&count), "cuDeviceGetCount");
    }
    std::vector<Device> devices;
    for (int ordinal = 0; ordinal < count; ++ordinal) {
      devices.push_back(describe(ordinal, version));
    }
    return devices;
  }

  [[nodiscard]] std::unique_ptr<BufferMemory> memory_of(int device) const override {
    return std::make_unique<CudaMemory>(cuda_, handle_of(device));
  }

 private:
  [[nodiscard]] CudaDevice handle_of(int ordinal) const {
    CudaDevice device = 0;
    cuda_.check(cuda_.device(&device, ordinal), "cuDeviceGet");
    return device;
  }

  [[nodiscard]] Device describe(int ordinal, int version) const {
    constexpr std::size_t kLongestName = 256;
    constexpr int kMajor = 1000;  // 1000 · major + 10 · minor
    std::array<char, kLongestName> name{};
    std::array<char, kLongestName> address{};
    std::size_t bytes = 0;
    DeviceUuid uuid{};
    const auto device = handle_of(ordinal);
    cuda_.check(cuda_.device_name(name.data(), kLongestName - 1, device), "cuDeviceGetName");
    cuda_.check(cuda_.device_memory(&bytes, device), "cuDeviceTotalMem");
    cuda_.check(cuda_.pci_address(address.data(), kLongestName - 1, device), "cuDeviceGetPCIBusId");
    cuda_.check(cuda_.uuid(&uuid, device), "cuDeviceGetUuid");
    Device found;
    found.name = name.data();
    found.driver = fmt::format("CUDA {}.{}", version / kMajor, version % kMajor / 10);
    found.pci_address = address.data();
    found.part = text_of(uuid);
    found.memory = static_cast<Bytes>(bytes);
    return found;
  }

  CudaFunctions cuda_;
  bool has_devices_ = false;
};

}  // namespace

std::unique_ptr<DeviceDriver> open_cuda() { return std::make_unique<CudaDriver>(); }

}  // namespace beff
