#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "core/record/environment.hpp"
#include "engines/common/host/cpu_set.hpp"

namespace beff {

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

/// Looks at this node; cores outside the job's cgroup do not count, nor those beyond its quota of
/// CPU time, of which less than one CPU is one core. `root` has the system's sys/ and proc/.
Hardware look_at_hardware(const std::filesystem::path& root = "/");

/// What this process may use of its node's memory.
struct MemoryLimit {
  Bytes bytes = 0;
  std::string source;  ///< "node memory" or "cgroup limit"
};

/// Installed memory, or the tightest cgroup limit (version 1 or 2) of this process if lower.
MemoryLimit usable_memory(Bytes installed, const std::filesystem::path& root = "/");

Uname look_at_system();

}  // namespace beff
