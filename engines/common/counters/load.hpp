#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <vector>

#include "core/record/load.hpp"
#include "engines/common/host/cpu_set.hpp"

namespace beff {

/// What the system has counted for a CPU since it was started. Time in the kernel is left out: work
/// for network and storage is done there, for whomever.
struct CpuTime {
  Seconds user = 0;    ///< of all programs
  Seconds stolen = 0;  ///< by the hypervisor
};

/// What a kernel has counted so far; empty what it does not report.
struct LoadCounters {
  std::map<int, CpuTime> cpus;
  std::optional<Seconds> waited;     ///< some process of the job, or of the node, waited for a CPU
  std::optional<Seconds> throttled;  ///< of the cgroup whose quota held it up the longest
};

/// Reads /proc/stat, the pressure on the CPUs and the statistics of quotas. `root` has the system's
/// sys/ and proc/.
LoadCounters read_load(const std::filesystem::path& root = "/");

/// A process of this job: where it may run, and its time in user mode meanwhile.
struct ProcessTime {
  CpuSet cpus;
  Seconds user;
};

/// The load between two readings, `elapsed` apart, on a machine with these processes. Of less than
/// a second, of which the system counts too few ticks, only the length is known.
HostLoad load_between(const LoadCounters& before, const LoadCounters& after,
                      const std::vector<ProcessTime>& processes, Seconds elapsed);

}  // namespace beff
