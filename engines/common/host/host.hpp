#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/environment.hpp"

namespace beff {

/// The name of this host by the system: needs no MPI, as threads and what comes before it must not
/// call that.
std::string own_host();

/// Entries of a folder by name; empty where it cannot be read.
std::vector<std::filesystem::path> sorted_entries(const std::filesystem::path& folder);

bool is_there(const std::filesystem::path& path);

/// First line; empty where it cannot be read.
std::string line_in(const std::filesystem::path& file);

/// Without blanks at both ends.
std::string trimmed(std::string_view text);
/// The whole number that a file begins with.
std::optional<long long> count_in(const std::filesystem::path& file);

/// A file of a controller by its names in the two versions of cgroups.
struct CgroupFile {
  std::string_view controller;
  std::string_view in_version_2;
  std::string_view in_version_1;
};

/// Paths of a file in the cgroup of this process and in those above it, innermost first. A
/// container sees its own group as the root: paths that do not exist are among them. `root` has the
/// system's sys/ and proc/.
std::vector<std::filesystem::path> cgroup_paths(const std::filesystem::path& root,
                                                const CgroupFile& file);

/// When a process of this host started, in clock ticks since boot; nothing where none has this
/// number any more, or where it has ended and nobody has waited for it yet (a zombie).
std::optional<long long> start_of_process(long long process);

/// The value of an environment variable; null where it is not set.
using Variable = std::function<const char*(const char*)>;

/// The job of a batch system that this process runs in, with its partition or queue and its quality
/// of service as far as jobs see them; nothing outside a job.
std::optional<BatchJob> read_job(const Variable& variable);

/// A set of hardware threads, or of NUMA nodes, by the system's numbers.
using CpuSet = std::set<int>;

/// The set with these words as the kernel has them: bit b of word w is CPU w · bits + b.
CpuSet cpu_set(const unsigned long* words, std::size_t count);

/// The set of a list like 0-3,8; what is no such list ends it.
CpuSet parse_cpu_list(const std::string& text);

/// As the kernel writes it: 0-3,8.
std::string cpu_list(const CpuSet& cpus);

/// The cores of hardware threads; a thread of no known core is one of its own.
CpuSet cores_of(const CpuSet& cpus, const std::map<int, int>& core_of_thread);

/// How many sets of cores have fewer cores than processes that are bound to them or to a part of
/// them, from the cores of each process; of such sets that overlap the smallest counts. Takes a few
/// milliseconds for 1024 processes that are bound to cores or domains of 128.
int crowded_sets(const std::vector<CpuSet>& processes);

/// The NUMA node that has all of these CPUs, from a tree like /sys; empty where there is none.
std::optional<int> numa_node_of(const std::filesystem::path& sys, const CpuSet& cpus);

/// What the kernel reports of the node this process runs on.
struct Hardware {
  Cpu cpu;
  std::string topology;  ///< one readable line
  Bytes memory = 0;      ///< installed
  /// The core of each hardware thread that is on line, by the system's number of the thread.
  std::map<int, int> core_of_thread;
  CpuSet cores;  ///< that this job may use, before the quota
  /// CPUs of time that the cgroups of this process allow; empty where they set no limit.
  std::optional<double> cpu_quota;
};

/// Reads what this node has; cores outside the job's cgroup do not count, nor those beyond its
/// quota of CPU time, of which less than one CPU is one core. `root` has the system's sys/, proc/.
Hardware read_hardware(const std::filesystem::path& root = "/");

/// What this process may use of its node's memory.
struct MemoryLimit {
  Bytes bytes = 0;
  std::string source;  ///< "node memory" or "cgroup limit"
};

/// Installed memory, or the tightest cgroup limit (version 1 or 2) of this process if lower.
MemoryLimit usable_memory(Bytes installed, const std::filesystem::path& root = "/");

Uname read_uname();

}  // namespace beff
