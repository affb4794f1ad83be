#include "engines/common/host/host.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <vector>

namespace beff {
namespace {

namespace fs = std::filesystem;

struct Part {
  unsigned long maker;
  unsigned long part;
  std::string_view name;
};

// Fields Implementer and PartNum of MIDR_EL1, as the makers' manuals and Linux's cputype.h have
// them.
constexpr std::array kArmParts{
    Part{0x41, 0xd03, "Arm Cortex-A53"},         Part{0x41, 0xd07, "Arm Cortex-A57"},
    Part{0x41, 0xd08, "Arm Cortex-A72"},         Part{0x41, 0xd0c, "Arm Neoverse N1"},
    Part{0x41, 0xd40, "Arm Neoverse V1"},        Part{0x41, 0xd49, "Arm Neoverse N2"},
    Part{0x41, 0xd4f, "Arm Neoverse V2"},        Part{0x41, 0xd83, "Arm Neoverse V3AE"},
    Part{0x41, 0xd84, "Arm Neoverse V3"},        Part{0x41, 0xd8e, "Arm Neoverse N3"},
    Part{0x43, 0x0a1, "Cavium ThunderX"},        Part{0x43, 0x0af, "Marvell ThunderX2"},
    Part{0x46, 0x001, "Fujitsu A64FX"},          Part{0x46, 0x003, "Fujitsu Monaka"},
    Part{0x48, 0xd01, "HiSilicon TaiShan v110"}, Part{0x48, 0xd02, "HiSilicon HIP09"},
    Part{0x4e, 0x004, "NVIDIA Carmel"},          Part{0x4e, 0x010, "NVIDIA Olympus"},
    Part{0xc0, 0xac3, "Ampere AmpereOne"},       Part{0xc0, 0xac4, "Ampere Ampere-1A"},
};

// The machine types that Linux's arch/s390/kernel/processor.c names.
constexpr std::array kIbmMachines{
    Part{0, 0x2964, "IBM z13"},     Part{0, 0x2965, "IBM z13s"},    Part{0, 0x3906, "IBM z14"},
    Part{0, 0x3907, "IBM z14 ZR1"}, Part{0, 0x8561, "IBM z15"},     Part{0, 0x8562, "IBM z15 T02"},
    Part{0, 0x3931, "IBM z16"},     Part{0, 0x3932, "IBM z16 A02"}, Part{0, 0x9175, "IBM z17"},
    Part{0, 0x9176, "IBM z17"},
};

/// The name of a part; `otherwise` where no line has it. The numbers are hexadecimal.
std::string name_of(std::span<const Part> parts, const std::string& maker, const std::string& part,
                    std::string otherwise) {
  for (const auto& entry : parts) {
    if (entry.maker == std::strtoul(maker.c_str(), nullptr, 16) &&
        entry.part == std::strtoul(part.c_str(), nullptr, 16)) {
      return std::string(entry.name);
    }
  }
  return otherwise;
}

/// The first value of each key.
std::map<std::string, std::string> fields_of(const fs::path& cpuinfo) {
  std::map<std::string, std::string> fields;
  std::ifstream file(cpuinfo);
  for (std::string line; std::getline(file, line);) {
    const auto colon = line.find(':');
    if (colon != std::string::npos) {
      fields.emplace(trimmed(std::string_view(line).substr(0, colon)),
                     trimmed(std::string_view(line).substr(colon + 1)));
    }
  }
  return fields;
}

/// The processor's name as the kernel reports it. Of Arm and IBM Z that is numbers, which name
/// those of servers here; others keep their numbers. "unknown" where there is nothing.
std::string cpu_model(const fs::path& cpuinfo) {
  constexpr std::string_view kMachine = "machine = ";
  auto fields = fields_of(cpuinfo);
  for (const char* key : {"model name", "Model Name", "cpu", "uarch"}) {
    if (!fields[key].empty()) {  // x86, LoongArch, POWER, RISC-V
      return fields[key];
    }
  }
  const auto& maker = fields["CPU implementer"];
  const auto& part = fields["CPU part"];
  if (!maker.empty() && !part.empty()) {
    return name_of(kArmParts, maker, part,
                   fmt::format("Arm, implementer {}, part {}", maker, part));
  }
  const auto& first = fields["processor 0"];
  if (const auto at = first.find(kMachine); at != std::string::npos) {
    const auto machine = first.substr(at + kMachine.size());
    return name_of(kIbmMachines, "0", machine, "IBM Z, machine " + machine);
  }
  return "unknown";
}

/// What the innermost cgroup with such a file allows; `all` where none limits it.
CpuSet allowed(const fs::path& root, const CgroupFile& file, const CpuSet& all) {
  for (const auto& path : cgroup_paths(root, file)) {
    const auto cpus = parse_cpu_list(line_in(path));
    if (!cpus.empty()) {
      return cpus;
    }
  }
  return all;
}

CpuSet threads_on_line(const fs::path& root) {
  auto online = parse_cpu_list(line_in(root / "sys/devices/system/cpu/online"));
  if (online.empty()) {
    for (int cpu = 0; cpu < sysconf(_SC_NPROCESSORS_ONLN); ++cpu) {
      online.insert(cpu);
    }
  }
  return online;
}

/// Those that the job's cgroup allows.
CpuSet usable_threads(const fs::path& root, const CpuSet& online) {
  constexpr CgroupFile kFile{"cpuset", "cpuset.cpus.effective", "cpuset.effective_cpus"};
  const auto may = allowed(root, kFile, online);
  CpuSet usable;
  std::ranges::set_intersection(online, may, std::inserter(usable, usable.end()));
  return usable.empty() ? online : usable;
}

/// The folder of a hardware thread.
fs::path folder_of(const fs::path& root, int thread) {
  return root / fmt::format("sys/devices/system/cpu/cpu{}", thread);
}

/// The core of each thread, by its first thread; each is its own where the kernel reports none.
std::map<int, int> cores_of_threads(const fs::path& root, const CpuSet& threads) {
  std::map<int, int> core_of;
  for (const int thread : threads) {
    const auto topology = folder_of(root, thread) / "topology";
    auto siblings = parse_cpu_list(line_in(topology / "core_cpus_list"));
    if (siblings.empty()) {  // before Linux 5.3
      siblings = parse_cpu_list(line_in(topology / "thread_siblings_list"));
    }
    core_of[thread] = siblings.empty() ? thread : *siblings.begin();
  }
  return core_of;
}

int count_packages(const fs::path& root, const CpuSet& threads) {
  std::set<long long> packages;
  for (const int thread : threads) {
    const auto id = count_in(folder_of(root, thread) / "topology/physical_package_id");
    if (id && *id >= 0) {  // some virtual machines write -1
      packages.insert(*id);
    }
  }
  return static_cast<int>(packages.size());
}

/// Caches for data that the threads use, each level with the size of the first and their number.
std::vector<Cache> caches(const fs::path& root, const CpuSet& threads) {
  constexpr std::array<const char*, 4> kNames{"L1d", "L2", "L3", "L4"};
  std::array<std::set<std::string>, kNames.size()> sharers;
  std::array<Bytes, kNames.size()> sizes{};
  for (const int thread : threads) {
    for (const auto& cache : sorted_entries(folder_of(root, thread) / "cache")) {
      const auto level = static_cast<std::size_t>(count_in(cache / "level").value_or(0));
      if (level < 1 || level > kNames.size() || line_in(cache / "type") == "Instruction") {
        continue;
      }
      sharers.at(level - 1).insert(line_in(cache / "shared_cpu_list"));
      auto& size = sizes.at(level - 1);
      // the kernel writes it in KiB: 1024K
      size = size == 0 ? count_in(cache / "size").value_or(0) * kKiB : size;
    }
  }
  std::vector<Cache> levels;
  for (std::size_t level = 0; level < kNames.size(); ++level) {
    if (sizes.at(level) > 0) {
      levels.push_back({.name = kNames.at(level),
                        .bytes = sizes.at(level),
                        .count = static_cast<int>(sharers.at(level).size())});
    }
  }
  return levels;
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

/// Memory of a NUMA node, from its line "Node 0 MemTotal: 65536 kB".
Bytes memory_of_node(const fs::path& root, int node) {
  std::ifstream file(root / fmt::format("sys/devices/system/node/node{}/meminfo", node));
  std::string word;
  Bytes kib = 0;
  while (file >> word && word != "MemTotal:") {
  }
  return file >> kib ? kib << 10 : 0;
}

/// NUMA nodes that are on line, those of them that the job's cgroup allows, and those of these that
/// have processors: accelerators have nodes of memory alone.
struct NumaNodes {
  CpuSet all;
  CpuSet usable;
  CpuSet domains;
};

NumaNodes numa_nodes(const fs::path& root) {
  constexpr CgroupFile kFile{"cpuset", "cpuset.mems.effective", "cpuset.effective_mems"};
  NumaNodes nodes;
  nodes.all = parse_cpu_list(line_in(root / "sys/devices/system/node/online"));
  const auto may = allowed(root, kFile, nodes.all);
  std::ranges::set_intersection(nodes.all, may, std::inserter(nodes.usable, nodes.usable.end()));
  const auto with_cpus = parse_cpu_list(line_in(root / "sys/devices/system/node/has_cpu"));
  std::ranges::set_intersection(nodes.usable, with_cpus.empty() ? nodes.all : with_cpus,
                                std::inserter(nodes.domains, nodes.domains.end()));
  return nodes;
}

/// Installed memory this job may use: all of the machine's, or that of the allowed NUMA nodes where
/// some are not allowed. (The sum over NUMA nodes alone misses memory in some virtual machines.)
Bytes installed_memory(const fs::path& root, const NumaNodes& nodes) {
  const Bytes all = Bytes{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGESIZE);
  if (nodes.usable == nodes.all) {
    return all;
  }
  Bytes sum = 0;
  for (const int node : nodes.usable) {
    sum += memory_of_node(root, node);
  }
  return sum > 0 ? sum : all;
}

/// CPUs of time in a file cpu.max of version 2, "quota period", or in version 1's cpu.cfs_quota_us,
/// beside which the period stands; empty where it sets no limit ("max", -1).
std::optional<double> quota_in(const fs::path& path) {
  std::ifstream file(path);
  long long quota = 0;
  long long period = 0;
  if (!(file >> quota)) {
    return std::nullopt;
  }
  if (!(file >> period)) {
    period = count_in(path.parent_path() / "cpu.cfs_period_us").value_or(0);
  }
  return quota > 0 && period > 0
             ? std::optional(static_cast<double>(quota) / static_cast<double>(period))
             : std::nullopt;
}

/// The least that the cgroups of this process allow.
std::optional<double> cpu_quota(const fs::path& root) {
  constexpr CgroupFile kFile{"cpu", "cpu.max", "cpu.cfs_quota_us"};
  std::optional<double> least;
  for (const auto& path : cgroup_paths(root, kFile)) {
    if (const auto quota = quota_in(path)) {
      least = std::min(least.value_or(*quota), *quota);
    }
  }
  return least;
}

}  // namespace

Hardware read_hardware(const fs::path& root) {
  Hardware hardware;
  const auto online = threads_on_line(root);
  const auto threads = usable_threads(root, online);
  const auto nodes = numa_nodes(root);
  hardware.core_of_thread = cores_of_threads(root, online);
  hardware.cores = cores_of(threads, hardware.core_of_thread);
  auto& cpu = hardware.cpu;
  cpu.model = cpu_model(root / "proc/cpuinfo");
  cpu.packages = count_packages(root, threads);
  cpu.threads = static_cast<int>(threads.size());
  cpu.cores = static_cast<int>(hardware.cores.size());
  hardware.cpu_quota = cpu_quota(root);
  if (hardware.cpu_quota && *hardware.cpu_quota < cpu.cores) {
    cpu.cores = std::max(1, static_cast<int>(*hardware.cpu_quota));
  }
  cpu.numa_nodes = std::max(1, static_cast<int>(nodes.domains.size()));
  cpu.caches = caches(root, threads);
  hardware.memory = installed_memory(root, nodes);
  hardware.topology = topology_line(cpu, hardware.memory);
  return hardware;
}

MemoryLimit usable_memory(Bytes installed, const fs::path& root) {
  MemoryLimit limit{.bytes = installed, .source = "node memory"};
  constexpr Bytes kNoLimit = Bytes{1} << 60;
  constexpr CgroupFile kFile{"memory", "memory.max", "memory.limit_in_bytes"};
  for (const auto& path : cgroup_paths(root, kFile)) {
    // none in "max" or a missing file; version 1 writes a huge one for "no limit"
    const auto bytes = count_in(path);
    if (bytes && *bytes < std::min(limit.bytes, kNoLimit)) {
      limit = {.bytes = *bytes, .source = "cgroup limit"};
    }
  }
  return limit;
}

Uname read_uname() {
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
