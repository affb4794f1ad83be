// Memory of Intel's devices by Level Zero. What is declared here is its ABI as the "oneAPI Level
// Zero Specification" (version 1.9, core API, and the extensions PCI Properties and Relaxed
// Allocation Limits) documents it: modules Driver, Device, Context, Memory, CommandList.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "engines/common/memory/device_driver.hpp"

namespace beff {
namespace {

using ZeResult = std::uint32_t;
using ZeDriver = struct ZeDriverOfLoader*;
using ZeDevice = struct ZeDeviceOfLoader*;
using ZeContext = struct ZeContextOfLoader*;
using ZeList = struct ZeListOfLoader*;

constexpr ZeResult kZeSuccess = 0;
constexpr ZeResult kZeUninitialised = 0x78000001;  // also where there is no device
constexpr ZeResult kZeOutOfHostMemory = 0x70000002;
constexpr ZeResult kZeOutOfDeviceMemory = 0x70000003;

/// What structures begin with; their numbers are those of ze_structure_type_t.
struct ZeHead {
  std::uint32_t type;
  const void* next = nullptr;
};
constexpr std::size_t kZeName = 256;

struct ZeDriverProperties {
  ZeHead head{.type = 0x1};
  DeviceUuid uuid{};
  std::uint32_t version = 0;
};
static_assert(sizeof(ZeDriverProperties) == 40);
struct ZeDeviceProperties {
  ZeHead head{.type = 0x3};
  std::uint32_t kind = 0;
  std::uint32_t vendor = 0;
  std::uint32_t device = 0;
  std::uint32_t flags = 0;
  std::uint32_t subdevice = 0;
  std::uint32_t core_clock = 0;
  std::uint64_t largest_allocation = 0;
  std::array<std::uint32_t, 7> hardware{};
  std::uint64_t timer_resolution = 0;
  std::array<std::uint32_t, 2> timestamp_bits{};
  DeviceUuid uuid{};
  std::array<char, kZeName> name{};
};
static_assert(offsetof(ZeDeviceProperties, largest_allocation) == 40);
static_assert(offsetof(ZeDeviceProperties, uuid) == 96 && sizeof(ZeDeviceProperties) == 368);
struct ZeGroupProperties {
  ZeHead head{.type = 0x6};
  std::uint32_t flags = 0;
  std::size_t longest_pattern = 0;
  std::uint32_t queues = 0;
};
static_assert(sizeof(ZeGroupProperties) == 40);
struct ZeMemoryProperties {
  ZeHead head{.type = 0x7};
  std::uint32_t flags = 0;
  std::uint32_t clock = 0;
  std::uint32_t bus_width = 0;
  std::uint64_t bytes = 0;
  std::array<char, kZeName> name{};
};
static_assert(offsetof(ZeMemoryProperties, bytes) == 32 && sizeof(ZeMemoryProperties) == 296);
struct ZePciProperties {
  ZeHead head{.type = 0x10008};
  std::uint32_t domain = 0;
  std::uint32_t bus = 0;
  std::uint32_t device = 0;
  std::uint32_t function = 0;
  std::array<std::int32_t, 2> speed{};
  std::int64_t bandwidth = 0;
};
static_assert(sizeof(ZePciProperties) == 48);
struct ZeContextDescription {
  ZeHead head{.type = 0xd};
  std::uint32_t flags = 0;
};
struct ZeQueueDescription {
  ZeHead head{.type = 0xe};
  std::uint32_t ordinal = 0;
  std::uint32_t index = 0;
  std::uint32_t flags = 0;
  std::uint32_t mode = 1;  // synchronous: a command is done when its call returns
  std::uint32_t priority = 0;
};
static_assert(sizeof(ZeQueueDescription) == 40);
/// Lifts the device's bound of a single allocation. Its number became another one with version
/// 1.17; drivers know at least one of them.
struct ZeRelaxedLimits {
  ZeHead head;
  std::uint32_t flags = 1;
};
constexpr std::array<std::uint32_t, 2> kZeRelaxedLimits{0x20001, 0x10016};
struct ZeAllocation {
  ZeHead head{.type = 0x15};
  std::uint32_t flags = 0;
  std::uint32_t ordinal = 0;
};
static_assert(sizeof(ZeAllocation) == 24);

struct ZeFunctions {
  ZeResult (*init)(std::uint32_t flags);
  ZeResult (*drivers)(std::uint32_t* count, ZeDriver* drivers);
  ZeResult (*driver_properties)(ZeDriver driver, ZeDriverProperties* properties);
  ZeResult (*devices)(ZeDriver driver, std::uint32_t* count, ZeDevice* devices);
  ZeResult (*device_properties)(ZeDevice device, ZeDeviceProperties* properties);
  ZeResult (*group_properties)(ZeDevice device, std::uint32_t* count,
                               ZeGroupProperties* properties);
  ZeResult (*memory_properties)(ZeDevice device, std::uint32_t* count,
                                ZeMemoryProperties* properties);
  ZeResult (*pci_properties)(ZeDevice device, ZePciProperties* properties);
  ZeResult (*make_context)(ZeDriver driver, const ZeContextDescription* description,
                           ZeContext* context);
  ZeResult (*make_list)(ZeContext context, ZeDevice device, const ZeQueueDescription* description,
                        ZeList* list);
  ZeResult (*allocate)(ZeContext context, const ZeAllocation* description, std::size_t bytes,
                       std::size_t alignment, ZeDevice device, void** address);
  ZeResult (*release)(ZeContext context, void* address);
  ZeResult (*copy)(ZeList list, void* to, const void* from, std::size_t bytes, void* signal,
                   std::uint32_t waits, void** events);
  ZeResult (*fill)(ZeList list, void* address, const void* pattern, std::size_t pattern_bytes,
                   std::size_t bytes, void* signal, std::uint32_t waits, void** events);

  explicit ZeFunctions(const DriverLibrary& library) {
    library.find(init, "zeInit");
    library.find(drivers, "zeDriverGet");
    library.find(driver_properties, "zeDriverGetProperties");
    library.find(devices, "zeDeviceGet");
    library.find(device_properties, "zeDeviceGetProperties");
    library.find(group_properties, "zeDeviceGetCommandQueueGroupProperties");
    library.find(memory_properties, "zeDeviceGetMemoryProperties");
    library.find(pci_properties, "zeDevicePciGetPropertiesExt");
    library.find(make_context, "zeContextCreate");
    library.find(make_list, "zeCommandListCreateImmediate");
    library.find(allocate, "zeMemAllocDevice");
    library.find(release, "zeMemFree");
    library.find(copy, "zeCommandListAppendMemoryCopy");
    library.find(fill, "zeCommandListAppendMemoryFill");
  }
};

/// Throws DeviceError where a call of `name` failed.
void check(ZeResult result, const char* name) {
  if (result != kZeSuccess) {
    throw DeviceError(fmt::format("{}: ze_result_t 0x{:x}", name, result));
  }
}

/// What a function lists that is asked for the number first.
template <class Entry, class Ask>
std::vector<Entry> list_of(const Ask& ask, const char* name) {
  std::uint32_t count = 0;
  check(ask(&count, static_cast<Entry*>(nullptr)), name);
  std::vector<Entry> list(count);
  check(ask(&count, list.data()), name);
  list.resize(count);
  return list;
}

struct ZePlace {
  ZeDriver driver;
  ZeDevice device;
  std::uint64_t largest_allocation;
};

/// Context and list are left to the end of the process, as MPI may have to do with the device until
/// MPI_Finalize.
class ZeMemory final : public BufferMemory {
 public:
  ZeMemory(const ZeFunctions& ze, const ZePlace& place) : ze_(ze), place_(place) {
    const ZeContextDescription context;
    const ZeQueueDescription queue{.ordinal = group_that_fills()};
    check(ze_.make_context(place.driver, &context, &context_), "zeContextCreate");
    check(ze_.make_list(context_, place_.device, &queue, &list_), "zeCommandListCreateImmediate");
  }

  [[nodiscard]] char* allocate(Bytes bytes, std::size_t /*alignment*/) override {
    const auto size = static_cast<std::size_t>(bytes);
    void* address = nullptr;
    ZeResult result = kZeSuccess;
    if (size <= place_.largest_allocation) {
      result = allocate_as({}, size, &address);
    } else {
      for (const auto type : kZeRelaxedLimits) {
        const ZeRelaxedLimits relaxed{.head = {.type = type}};
        result = allocate_as({.head = {.type = 0x15, .next = &relaxed}}, size, &address);
        if (result == kZeSuccess || result == kZeOutOfDeviceMemory) {
          break;
        }
      }
    }
    if (result == kZeOutOfDeviceMemory || result == kZeOutOfHostMemory) {
      throw std::bad_alloc();
    }
    check(result, "zeMemAllocDevice");
    return static_cast<char*>(address);
  }
  void release(char* memory) noexcept override { ze_.release(context_, memory); }
  void fill(char* memory, unsigned char byte, Bytes bytes) override {
    check(ze_.fill(list_, memory, &byte, 1, static_cast<std::size_t>(bytes), nullptr, 0, nullptr),
          "zeCommandListAppendMemoryFill");
  }
  void write(char* to, const void* from, Bytes bytes) override { copy(to, from, bytes); }
  void read(void* to, const char* from, Bytes bytes) override { copy(to, from, bytes); }
  void synchronise() override {}  // the list is synchronous

 private:
  ZeResult allocate_as(const ZeAllocation& description, std::size_t bytes, void** address) const {
    return ze_.allocate(context_, &description, bytes, kPage, place_.device, address);
  }

  /// The first group of queues that copies and fills by single bytes.
  [[nodiscard]] std::uint32_t group_that_fills() const {
    constexpr std::uint32_t kComputes = 1;
    constexpr std::uint32_t kCopies = 2;
    const auto groups = list_of<ZeGroupProperties>(
        [&](auto* count, auto* list) { return ze_.group_properties(place_.device, count, list); },
        "zeDeviceGetCommandQueueGroupProperties");
    const auto found = std::ranges::find_if(groups, [](const ZeGroupProperties& group) {
      return (group.flags & (kComputes | kCopies)) != 0 && group.longest_pattern > 0;
    });
    if (found == groups.end()) {
      throw DeviceError("the device has no queue that copies");
    }
    return static_cast<std::uint32_t>(found - groups.begin());
  }

  void copy(void* to, const void* from, Bytes bytes) const {
    check(ze_.copy(list_, to, from, static_cast<std::size_t>(bytes), nullptr, 0, nullptr),
          "zeCommandListAppendMemoryCopy");
  }

  ZeFunctions ze_;
  ZePlace place_;
  ZeContext context_ = nullptr;
  ZeList list_ = nullptr;
};

class ZeDrivers final : public DeviceDriver {
 public:
  ZeDrivers() : ze_(DriverLibrary({"libze_loader.so.1"})) {
    constexpr std::uint32_t kGpusOnly = 1;
    constexpr std::uint32_t kGpu = 1;
    const auto result = ze_.init(kGpusOnly);
    if (result == kZeUninitialised) {
      return;
    }
    check(result, "zeInit");
    for (const auto& driver : list_of<ZeDriver>(
             [&](auto* count, auto* list) { return ze_.drivers(count, list); }, "zeDriverGet")) {
      for (const auto& device : list_of<ZeDevice>(
               [&](auto* count, auto* list) { return ze_.devices(driver, count, list); },
               "zeDeviceGet")) {
        ZeDeviceProperties properties;
        check(ze_.device_properties(device, &properties), "zeDeviceGetProperties");
        if (properties.kind == kGpu) {
          places_.push_back({.driver = driver,
                             .device = device,
                             .largest_allocation = properties.largest_allocation});
        }
      }
    }
  }

  [[nodiscard]] std::vector<Device> devices() const override {
    std::vector<Device> devices;
    for (const auto& place : places_) {
      devices.push_back(describe(place));
    }
    return devices;
  }

  [[nodiscard]] std::unique_ptr<BufferMemory> memory_of(int device) const override {
    return std::make_unique<ZeMemory>(ze_, places_.at(static_cast<std::size_t>(device)));
  }

 private:
  [[nodiscard]] Device describe(const ZePlace& place) const {
    ZeDriverProperties driver;
    ZeDeviceProperties properties;
    ZePciProperties pci;
    check(ze_.driver_properties(place.driver, &driver), "zeDriverGetProperties");
    check(ze_.device_properties(place.device, &properties), "zeDeviceGetProperties");
    check(ze_.pci_properties(place.device, &pci), "zeDevicePciGetPropertiesExt");
    Device found;
    found.name = properties.name.data();
    found.driver = fmt::format("Level Zero driver 0x{:08x}", driver.version);
    found.pci_address =
        fmt::format("{:04x}:{:02x}:{:02x}.{:x}", pci.domain, pci.bus, pci.device, pci.function);
    found.part = text_of(properties.uuid);
    for (const auto& memory : list_of<ZeMemoryProperties>(
             [&](auto* count, auto* list) {
               return ze_.memory_properties(place.device, count, list);
             },
             "zeDeviceGetMemoryProperties")) {
      found.memory += static_cast<Bytes>(memory.bytes);
    }
    return found;
  }

  ZeFunctions ze_;
  std::vector<ZePlace> places_;
};

}  // namespace

std::unique_ptr<DeviceDriver> open_level_zero() { return std::make_unique<ZeDrivers>(); }

}  // namespace beff
