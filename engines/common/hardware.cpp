#include "engines/common/hardware.hpp"

#include <fmt/format.h>
#include <hwloc.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <memory>

namespace beff {
namespace {

struct TopologyDeleter {
  void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
};
using Topology = std::unique_ptr<std::remove_pointer_t<hwloc_topology_t>, TopologyDeleter>;

Topology load_topology() {
  hwloc_topology_t handle = nullptr;
  if (hwloc_topology_init(&handle) != 0) {
    return nullptr;
  }
  Topology topology(handle);
  return hwloc_topology_load(handle) == 0 ? std::move(topology) : nullptr;
}

int count(hwloc_topology_t topology, hwloc_obj_type_t type) {
  return std::max(0, hwloc_get_nbobjs_by_type(topology, type));
}

std::string cpu_model(hwloc_topology_t topology) {
  auto* package = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PACKAGE, 0);
  const char* model =
      package == nullptr ? nullptr : hwloc_obj_get_info_by_name(package, "CPUModel");
  return model == nullptr ? "unknown" : model;
}

std::vector<Cache> caches(hwloc_topology_t topology) {
  struct Level {
    hwloc_obj_type_t type;
    const char* name;
  };
  constexpr std::array kLevels{Level{HWLOC_OBJ_L1CACHE, "L1d"}, Level{HWLOC_OBJ_L2CACHE, "L2"},
                               Level{HWLOC_OBJ_L3CACHE, "L3"}, Level{HWLOC_OBJ_L4CACHE, "L4"}};
  std::vector<Cache> found;
  for (const auto& level : kLevels) {
    const auto* cache = hwloc_get_obj_by_type(topology, level.type, 0);
    if (cache != nullptr && cache->attr != nullptr) {
      found.push_back({.name = level.name,
                       .bytes = static_cast<Bytes>(cache->attr->cache.size),
                       .count = count(topology, level.type)});
    }
  }
  return found;
}

/// The core of each usable hardware thread; each is its own where hwloc sees no cores.
std::map<int, int> cores_of_threads(hwloc_topology_t topology) {
  std::map<int, int> core_of;
  for (int i = 0; i < count(topology, HWLOC_OBJ_PU); ++i) {
    auto* thread = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PU, static_cast<unsigned>(i));
    const auto* core = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_CORE, thread);
    core_of[static_cast<int>(thread->os_index)] =
        core == nullptr ? i : static_cast<int>(core->logical_index);
  }
  return core_of;
}

std::string topology_line(const Cpu& cpu, Bytes memory) {
  std::string line = fmt::format("{}, {}, {}, {}", counted(cpu.packages, "package"),
                                 counted(cpu.numa_nodes, "NUMA node"), counted(cpu.cores, "core"),
                                 counted(cpu.threads, "hardware thread"));
  for (const auto& cache : cpu.caches) {
    line += fmt::format(", {} {} x {}", cache.name, cache.count, format_size(cache.bytes));
  }
  return line + ", memory " + format_size(memory);
}

/// Installed memory this job may use: all of the machine's, or that of the allowed NUMA nodes where
/// some are not allowed. (The sum over NUMA nodes alone misses memory in some virtual machines.)
Bytes installed_memory(hwloc_topology_t topology) {
  const bool all_nodes = hwloc_bitmap_isequal(hwloc_topology_get_allowed_nodeset(topology),
                                              hwloc_topology_get_complete_nodeset(topology)) != 0;
  return all_nodes ? Bytes{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGESIZE)
                   : static_cast<Bytes>(hwloc_get_root_obj(topology)->total_memory);
}

/// The number in a cgroup's limit file; empty for "max", a missing file or version 1's "no limit".
std::optional<Bytes> limit_in(const std::string& path) {
  constexpr Bytes kNoLimit = Bytes{1} << 60;
  std::ifstream file(path);
  Bytes bytes = 0;
  return file >> bytes && bytes < kNoLimit ? std::optional(bytes) : std::nullopt;
}

/// Lowers `limit` by every limit from `root/relative` up to `root`.
void apply_limits(MemoryLimit& limit, const std::string& root, std::string relative,
                  const std::string& file) {
  for (;;) {
    const auto found = limit_in(fmt::format("{}{}/{}", root, relative, file));
    if (found && *found < limit.bytes) {
      limit = {.bytes = *found, .source = "cgroup limit"};
    }
    if (relative.empty() || relative == "/") {
      return;
    }
    relative.resize(relative.rfind('/'));
  }
}

}  // namespace

Hardware look_at_hardware() {
  Hardware hardware;
  const auto topology = load_topology();
  if (!topology) {
    hardware.cpu.model = "unknown";
    hardware.topology = "unknown";
    return hardware;
  }
  auto* handle = topology.get();
  auto& cpu = hardware.cpu;
  cpu.model = cpu_model(handle);
  cpu.packages = count(handle, HWLOC_OBJ_PACKAGE);
  cpu.threads = count(handle, HWLOC_OBJ_PU);
  cpu.cores = count(handle, HWLOC_OBJ_CORE);
  if (cpu.cores == 0) {
    cpu.cores = cpu.threads;
  }
  cpu.numa_nodes = count(handle, HWLOC_OBJ_NUMANODE);
  cpu.caches = caches(handle);
  hardware.core_of_thread = cores_of_threads(handle);
  hardware.memory = installed_memory(handle);
  hardware.topology = topology_line(cpu, hardware.memory);
  return hardware;
}

MemoryLimit usable_memory(Bytes installed) {
  MemoryLimit limit{.bytes = installed, .source = "node memory"};
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) {
      continue;
    }
    const auto controllers = line.substr(first + 1, second - first - 1);
    const auto group = line.substr(second + 1);
    if (controllers.empty()) {
      apply_limits(limit, "/sys/fs/cgroup", group, "memory.max");
    } else if (controllers.find("memory") != std::string::npos) {
      apply_limits(limit, "/sys/fs/cgroup/memory", group, "memory.limit_in_bytes");
    }
  }
  return limit;
}

Uname look_at_system() {
  utsname system{};
  if (uname(&system) != 0) {
    return {};
  }
  return {.sysname = system.sysname,
          .nodename = system.nodename,
          .release = system.release,
          .version = system.version,
          .machine = system.machine};
}

}  // namespace beff
