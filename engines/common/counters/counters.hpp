#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <vector>

#include "core/record/counters.hpp"
#include "core/record/hosts.hpp"
#include "core/units/quantity_text.hpp"
#include "engines/common/host/host.hpp"

namespace beff {

/// Reads physical ports of InfiniBand and Ethernet, and devices with fewer PCIe lanes than they
/// and their slots could have, from a tree like /sys. What cannot be read is left out. Left out as
/// well are virtual and loopback ports, Ethernet ports seen as RDMA devices (their other face is
/// read), virtual functions beside their physical one, and bridges of PCIe.
HostHardware read_host_hardware(const std::filesystem::path& sys);

/// Rate in one direction of an RDMA port ("200 Gb/sec (4X HDR)"), or of a network interface; empty
/// where none is reported, as of one that is down.
std::optional<double> rdma_rate_MBps(const std::filesystem::path& port);
std::optional<double> interface_rate_MBps(const std::filesystem::path& interface);

/// Reads the counters of all ports of this host: of RDMA devices (InfiniBand, RoCE, Slingshot, EFA)
/// from a tree like /sys, of all network interfaces from one like /proc; without payload. RDMA
/// bypasses the interface of the same port, so nothing is counted twice; interfaces that send by
/// others (bonds, bridges, VLANs, IP over InfiniBand) are left out. What cannot be read is left
/// out.
HostWires read_port_counters(const std::filesystem::path& sys, const std::filesystem::path& proc);

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

class Nodes;

/// Bytes of messages that a process has sent.
struct SentBytes {
  std::int64_t leaving = 0;  ///< to other hosts
  std::int64_t inside = 0;   ///< to processes of its own
};

/// Reads what the ports of each host count, before and after what is measured; one process of each
/// host does. Nothing of a simulated machine.
class WireWatch {
 public:
  /// Reads for the first time. `nodes` must outlive the object.
  explicit WireWatch(const Nodes& nodes);

  /// What was carried since then, of each host, on rank 0; empty elsewhere. `sent` by this process
  /// meanwhile, empty on all where it is not known. Collective over MPI_COMM_WORLD.
  [[nodiscard]] std::vector<HostWires> carried(const std::optional<SentBytes>& sent) const;

 private:
  [[nodiscard]] HostWires read() const;

  const Nodes* nodes_;
  HostWires before_;  ///< on the leader
};

/// Reads what each kernel counts of its CPUs and each process of its own time, before and after
/// what is measured. Nothing of a simulated machine.
class LoadWatch {
 public:
  /// Reads for the first time. `nodes` must outlive the object.
  explicit LoadWatch(const Nodes& nodes);

  /// The load since then, of each host, on rank 0; empty elsewhere. Collective over
  /// MPI_COMM_WORLD.
  [[nodiscard]] std::vector<HostLoad> since() const;

 private:
  const Nodes* nodes_;
  LoadCounters before_;  ///< on the first process of the kernel
  Seconds started_ = 0;
  Seconds own_before_ = 0;  ///< of this process in user mode
};

}  // namespace beff
