#include "engines/common/memory/chosen_memory.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "engines/common/host/capacity.hpp"
#include "engines/common/host/host.hpp"
#include "engines/common/mpi/agree.hpp"
#include "engines/common/mpi/clock.hpp"
#include "engines/common/mpi/handles.hpp"
#include "engines/common/mpi/launch.hpp"
#include "engines/common/run/files.hpp"
#include "engines/common/run/options.hpp"
#include "engines/common/watch/end.hpp"

namespace beff {
namespace {

/// The function of a library's extension, where this library has it.
template <class Function>
Function* extension(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

/// The kinds that the communicator of all says it takes.
std::string listed_kinds() {
  MPI_Info info = MPI_INFO_NULL;
  MPI_Comm_get_info(MPI_COMM_WORLD, &info);
  const Info owned(info);
  constexpr int kLongest = 1000;
  std::array<char, kLongest + 1> value{};
  int known = 0;
  MPI_Info_get(info, "mpi_memory_alloc_kinds", kLongest, value.data(), &known);
  return known != 0 ? value.data() : "";
}

/// Whether a list such as `system,mpi,rocm:device:fine` has memory of devices of a kind: without
/// restrictors, or with that to devices among them.
bool lists_kind(const std::string& kinds, std::string_view wanted) {
  return std::ranges::any_of(split_list(kinds), [&](const std::string& kind) {
    return kind == wanted || (kind.starts_with(fmt::format("{}:", wanted)) &&
                              (kind + ":").find(":device:") != std::string::npos);
  });
}

/// Of MPICH's function: its numbers are those of MPICH's mpi.h.
int mpich_number(MemoryKind kind) {
  constexpr int kCuda = 0;
  constexpr int kHip = 2;
  return kind == MemoryKind::kCuda ? kCuda : kHip;
}

/// What the MPI library says of buffers in a kind of memory.
struct MpiSupport {
  bool takes = false;
  std::string by;  ///< what says so, or the functions that say no; empty where it says nothing
};

/// Asks by all that there is: the info key `mpi_memory_alloc_kinds` (MPI 4.1, section 11.4.3, and
/// its side document on memory allocation kinds), where a kind that is not listed may still be
/// taken, and the extensions of libraries, looked up by name: MPIX_Query_cuda_support and
/// MPIX_Query_rocm_support of Open MPI, MPIX_GPU_query_support of MPICH. After MPI_Init.
MpiSupport ask_mpi(MemoryKind kind) {
  MpiSupport support;
  const auto note = [&](bool takes, std::string_view by) {
    if (takes && !support.takes) {
      support = {.takes = true, .by = std::string(by)};
    } else if (!takes && !support.takes) {
      support.by += (support.by.empty() ? "" : ", ") + std::string(by);
    }
  };
  if (lists_kind(listed_kinds(), row(kind).mpi_name)) {
    note(true, "mpi_memory_alloc_kinds");
  }
  const auto* name =
      kind == MemoryKind::kCuda ? "MPIX_Query_cuda_support" : "MPIX_Query_rocm_support";
  if (auto* query = extension<int()>(name)) {
    note(query() != 0, name);
  }
  if (auto* query = extension<int(int, int*)>("MPIX_GPU_query_support")) {
    int takes = 0;
    const bool answers = query(mpich_number(kind), &takes) == MPI_SUCCESS;
    note(answers && takes != 0, "MPIX_GPU_query_support");
  }
  return support;
}

constexpr int kNotBound = -1;

/// Stands for a text where processes of a host compare theirs.
std::size_t key_of(const std::string& text) { return std::hash<std::string>{}(text); }

/// Every value of the processes of a communicator, on all of them.
template <class T>
std::vector<T> all_of(const T& mine, MPI_Comm comm) {
  std::vector<T> all(static_cast<std::size_t>(size_of(comm)));
  MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, comm);
  return all;
}

/// Throws UsageError on all ranks where `work` throws DeviceError on some.
template <class Work>
auto on_all(const MemoryOptions& options, const Work& work) {
  decltype(work()) result{};
  std::optional<std::string> problem;
  try {
    result = work();
  } catch (const DeviceError& error) {
    problem = fmt::format("{}: {}", who(world_rank()), error.what());
  }
  if (const auto text = first_text(MPI_COMM_WORLD, problem); !text.empty()) {
    throw UsageError(
        fmt::format("--memory {}: {}; load what is missing or ask for devices from the batch "
                    "system, or measure "
                    "with --memory host",
                    to_string(*options.kind), text));
  }
  return result;
}

/// What the system says of a device, whose address it writes in lower case.
void read_sysfs(Device& device, MemoryKind kind) {
  std::ranges::transform(device.pci_address, device.pci_address.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (device.pci_address.empty()) {
    return;
  }
  const auto entry = std::filesystem::path("/sys/bus/pci/devices") / device.pci_address;
  device.on_pci_bus = line_in(entry / "vendor") == fmt::format("0x{:04x}", row(kind).pci_vendor);
  if (const auto node = count_in(entry / "numa_node"); node && *node >= 0) {
    device.numa_node = static_cast<int>(*node);
  }
}

std::vector<Device> devices_of(const DeviceDriver& driver, MemoryKind kind) {
  auto devices = driver.devices();
  if (devices.empty()) {
    throw DeviceError("its driver sees no device");
  }
  for (auto& device : devices) {
    device.driver = line_in(std::filesystem::path("/sys/module") / row(kind).module / "version");
    read_sysfs(device, kind);
  }
  return devices;
}

/// The file of --device, read by rank 0. Collective.
std::string read_devices(const std::string& file, Watchdog& watchdog) {
  watchdog.wait_for_rank_0("set-up: reading the devices");
  std::string text;
  check_on_rank_0([&] {
    text = text_of_option("device", file,
                          "name a file with the number of a device in each line, or local");
  });
  return from_rank_0(text);
}

/// The number in line `place` of the file; comments and empty lines do not count.
int device_in_file(const std::string& text, int place) {
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    line.resize(std::min(line.find('#'), line.size()));
    std::istringstream words(line);
    if (int device = 0; words >> device && number++ == place) {
      return device;
    }
  }
  throw DeviceError(fmt::format(
      "the file of --device has no line for process {} of its host; it has {}", place, number));
}

/// Which device this process uses. Collective.
int chosen_device(const MemoryOptions& options, const std::vector<Device>& devices,
                  const Nodes& nodes, Watchdog& watchdog) {
  const int place = rank_in(nodes.local());
  if (options.devices != "local") {
    const auto text = read_devices(options.devices, watchdog);
    return on_all(options, [&] {
      const int device = device_in_file(text, place);
      if (device < 0 || std::cmp_greater_equal(device, devices.size())) {
        throw DeviceError(fmt::format("--device {} names device {}, of which there are {}",
                                      options.devices, device, devices.size()));
      }
      return device;
    });
  }
  std::string seen;
  std::vector<std::optional<int>> nodes_of_devices;
  for (const auto& device : devices) {
    seen += device.pci_address + " " + device.part + " ";
    nodes_of_devices.push_back(device.numa_node);
  }
  const auto views = all_of(key_of(seen), nodes.local());
  if (std::ranges::adjacent_find(views, std::not_equal_to<>()) != views.end()) {
    return place % static_cast<int>(devices.size());  // the launcher gave each its own
  }
  std::vector<std::optional<int>> nodes_of_processes;
  for (const int node :
       all_of(numa_node_of("/sys", own_cpu_set()).value_or(kNotBound), nodes.local())) {
    nodes_of_processes.push_back(node == kNotBound ? std::nullopt : std::optional(node));
  }
  return assigned_devices(nodes_of_processes, nodes_of_devices).at(static_cast<std::size_t>(place));
}

/// The begin of what the library says of itself.
std::string short_library_text() {
  const auto text = mpi_library_text();
  return text.substr(0, text.find(','));
}

/// The kind of device that all processes have and MPI takes, where it is a single one; else why it
/// is the host's.
std::pair<MemoryKind, std::string> detected_kind(const MemoryOptions& options) {
  auto kind = MemoryKind::kHost;
  int kinds = 0;
  for (const auto& entry : kMemoryKinds) {
    if (entry.kind == MemoryKind::kHost) {
      continue;
    }
    bool has_some = false;
    try {
      has_some = !DeviceDriver(entry.kind).devices().empty();
    } catch (const DeviceError&) {
      has_some = false;
    }
    if (allreduce(has_some ? 1 : 0, MPI_MIN) == 1) {
      kind = entry.kind;
      ++kinds;
    }
  }
  if (kinds != 1) {
    return {MemoryKind::kHost, kinds == 0 ? "there is no kind of device that all processes see"
                                          : "there are devices of several kinds"};
  }
  const bool takes = options.files_through_host || ask_mpi(kind).takes;
  if (allreduce(takes ? 1 : 0, MPI_MIN) == 1) {
    return {kind, ""};
  }
  return {MemoryKind::kHost,
          fmt::format("there are {} devices, of which {} does not say that it takes buffers",
                      to_string(kind), short_library_text())};
}

/// What says that MPI takes them, or nothing where it need not be asked. Throws UsageError.
std::string agreed_support(const MemoryOptions& options) {
  if (options.files_through_host) {
    return {};
  }
  const auto support = ask_mpi(*options.kind);
  if (allreduce(support.takes ? 1 : 0, MPI_MIN) == 1) {
    return support.by;
  }
  if (options.unsafe) {
    return {};
  }
  const auto denied_by = from_rank_0(support.takes ? std::string() : support.by);
  throw UsageError(fmt::format("--memory {}: {} {}; {}; --memory-unsafe goes on",
                               to_string(*options.kind), mpi_library_text(),
                               denied_by.empty()
                                   ? "does not say whether it takes such buffers"
                                   : "says that it takes no such buffers (" + denied_by + ")",
                               way_to_support(*options.kind)));
}

/// Of Open MPI what moves its messages, by what it was told, and UCX with its version.
std::string transport_in_use() {
  if (mpi_family(mpi_library_text()) != MpiFamily::kOpenMpi) {
    return {};
  }
  const char* pml = std::getenv("OMPI_MCA_pml");
  std::string transport = pml == nullptr ? "" : pml;
  void* const library =
      transport == "ucx" ? dlopen("libucp.so.0", RTLD_NOW | RTLD_NOLOAD) : nullptr;
  if (library == nullptr) {
    return transport;
  }
  const auto version =
      reinterpret_cast<const char* (*)()>(dlsym(library, "ucp_get_version_string"));
  return version == nullptr ? transport : fmt::format("UCX {}", version());
}

}  // namespace

std::optional<DeviceRoofs> measure_roofs(BufferMemory& memory) {
  constexpr Bytes kBlock = 64 * kMiB;
  constexpr Seconds kShort = 0.05;
  std::optional<OwnedBuffers<2>> buffers;
  try {
    buffers.emplace(memory, kBlock);
  } catch (const std::bad_alloc&) {
    buffers.reset();
  }
  if (allreduce(buffers ? 1 : 0, MPI_MIN) == 0) {
    return std::nullopt;
  }
  std::vector<char> host(static_cast<std::size_t>(kBlock));
  char* const from = buffers->get<0>();
  char* const to = buffers->get<1>();
  memory.fill(from, 0, kBlock);
  const auto rate_of = [&](const auto& copy) {
    copy();
    memory.synchronise();
    MPI_Barrier(MPI_COMM_WORLD);
    const Seconds begin = run_time();
    Bytes copied = 0;
    Seconds took = 0;
    while (took < kShort) {
      copy();
      memory.synchronise();
      took = run_time() - begin;
      copied += kBlock;
    }
    return allreduce(static_cast<double>(copied) / took / kBytesPerMB, MPI_MIN);
  };
  DeviceRoofs roofs;
  roofs.on_device = rate_of([&] { memory.copy(to, from, kBlock); });
  roofs.through_host = rate_of([&] {
    memory.read(host.data(), from, kBlock);
    memory.write(to, host.data(), kBlock);
  });
  return roofs;
}

std::string way_to_support(MemoryKind kind) {
  const auto library = mpi_library_text();
  const auto has = [&](std::string_view name) { return library.find(name) != std::string::npos; };
  const auto name = row(kind).mpi_name;
  const auto way =
      has("Open MPI")       ? fmt::format(
                                  "load UCX and Open MPI that are built with {0} (where UCX_TLS is "
                                  "set, {0} in it), or set OMPI_MCA_pml=ob1",
                                  name)
      : has("Intel(R) MPI") ? std::string("set I_MPI_OFFLOAD=1")
      : has("CRAY MPICH")
          ? std::string("load the module of the accelerator and set MPICH_GPU_SUPPORT_ENABLED=1")
      : has("MPICH")
          ? fmt::format("load one that is built with {} and set MPIR_CVAR_ENABLE_GPU=1", name)
          : std::string("load one that is built for it");
  return way + "; --memory host measures without devices";
}

ChosenMemory choose_memory(const MemoryOptions& options, const Nodes& nodes, Watchdog& watchdog) {
  if (options.is_host()) {
    return {.memory = std::make_unique<HostMemory>(), .share = {}, .buffers = {}, .why_host = {}};
  }
  if (kSimulated) {
    throw UsageError("--memory: a simulated host has no devices; leave the option out");
  }
  watchdog.enter("set-up: looking for devices");
  MemoryOptions settled = options;
  settled.kind = options.kind.value_or(MemoryKind::kHost);
  if (!options.kind) {
    auto [kind, why] = detected_kind(settled);
    settled.kind = kind;
    if (settled.is_host()) {
      auto chosen = choose_memory(settled, nodes, watchdog);
      if (world_rank() == 0) {
        say(fmt::format("--memory auto: buffers are in the memory of hosts: {}", why));
      }
      chosen.why_host = std::move(why);
      return chosen;
    }
  }
  const auto kind = *settled.kind;
  const auto driver = on_all(settled, [&] { return std::make_unique<DeviceDriver>(kind); });
  const auto devices = on_all(settled, [&] { return devices_of(*driver, kind); });
  const auto support = agreed_support(settled);
  const int number = chosen_device(settled, devices, nodes, watchdog);
  ChosenMemory chosen;
  const auto& device = devices.at(static_cast<std::size_t>(number));
  chosen.memory = on_all(settled, [&] { return driver->memory_of(number, device); });

  const auto mine = key_of(device.pci_address + " " + device.part);
  const auto used = all_of(mine, nodes.local());
  chosen.share = DeviceShare{.of_device = device.memory,
                             .sharers = static_cast<int>(std::ranges::count(used, mine))};
  const auto hosts = nodes.hosts(host_name());
  const auto all = gather_records(std::optional(device));
  chosen.buffers.emplace();
  chosen.buffers->kind = kind;
  chosen.buffers->mpi_said = support;
  chosen.buffers->transport = transport_in_use();
  chosen.buffers->files_through_host = settled.files_through_host;
  chosen.buffers->hosts = equal_device_hosts(hosts, nodes.placement(), all);
  chosen.buffers->confirmed = was_seen(*chosen.buffers, mpi_library_text());
  return chosen;
}

}  // namespace beff
