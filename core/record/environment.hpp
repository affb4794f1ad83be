#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/record/device_buffers.hpp"
#include "core/record/hosts.hpp"
#include "core/record/json_fwd.hpp"
#include "core/units/quantity_text.hpp"

namespace beff {

/// What uname(2) says on rank 0.
struct Uname {
  std::string sysname;
  std::string nodename;
  std::string release;
  std::string version;
  std::string machine;
};

struct MpiLibrary {
  std::string library;       ///< first line of MPI_Get_library_version
  std::string standard;      ///< e.g. "4.1", from MPI_Get_version
  std::string thread_level;  ///< e.g. "MPI_THREAD_FUNNELED"
};

struct Cache {
  std::string name;  ///< "L1d", "L2" …
  Bytes bytes;       ///< of one cache
  int count;         ///< on the node
};

/// The processor of rank 0's node.
struct Cpu {
  std::string model;
  int packages = 0;
  int cores = 0;  ///< physical cores that this job may use
  int threads = 0;
  int numa_nodes = 0;
  std::vector<Cache> caches;
};

/// Where the memory per process comes from.
struct Memory {
  Bytes per_process = 0;
  Bytes total = 0;  ///< of the system; unless stated, per process · processes or of the nodes
  std::optional<Bytes> of_nodes{};  ///< that the job may use on all its nodes together
  std::string source;  ///< e.g. "node memory 23.5 GiB (cgroup limit 16 GiB) / 2 processes"
};

/// How processes are bound to cores, over all nodes.
struct Binding {
  int bound_processes = 0;    ///< bound to fewer cores than the node has
  int unbound_processes = 0;  ///< free to move over the whole node
  int shared_cores = 0;       ///< sets of cores with fewer cores than processes bound inside
  std::optional<int> cores_per_process_min;  ///< physical cores that a process may use
  std::optional<int> cores_per_process_max;
  std::vector<std::string> first_node;  ///< CPU list of each process on rank 0's node
};

/// Where a batch system put the job; empty what jobs do not see.
struct BatchJob {
  std::string system;
  std::string partition;  ///< or queue
  std::string qos;
};

/// The measuring clock.
struct Clock {
  Seconds resolution = 0;    ///< smallest step seen
  Seconds call_cost = 0;     ///< time of one reading
  Seconds barrier_cost = 0;  ///< mean time of one MPI_Barrier over all processes
};

/// Everything about the place of a measurement that a reader needs to repeat or to doubt it.
struct Environment {
  std::string started_at;   ///< RFC 3339, UTC
  std::string finished_at;  ///< RFC 3339, UTC; empty while running
  Seconds wall = 0;
  Uname uname;
  std::vector<Host> hosts;     ///< in order of node index
  std::vector<int> placement;  ///< node index of each rank
  std::vector<int> kernels;    ///< of each node; empty where each has one of its own
  int processes = 0;
  int cores_per_node_min = 0;  ///< usable physical cores of the smallest node, or of its kernel
  std::optional<double> cpu_quota;  ///< CPUs of time; of the node with the least, if any has one
  bool oversubscribed = false;  ///< more processes than usable cores or CPUs of time on some node
  bool simulated = false;       ///< run under SimGrid's SMPI
  RecordedJson simulation;      ///< what simulated which network; null on a real machine
  Memory memory;
  std::optional<DeviceBuffers> buffers;  ///< empty of the memory of hosts
  std::string why_host_memory;           ///< by --memory auto; else empty
  MpiLibrary mpi;
  Cpu cpu;
  std::string topology;  ///< one readable line
  Binding binding;
  std::optional<std::string> omp_num_threads;  ///< OMP_NUM_THREADS of rank 0 as it is set
  Clock clock;
  std::string build_type;
  std::string compiler;         ///< with its version, and the C++ library where it is not GCC's
  std::optional<BatchJob> job;  ///< empty outside a job
  std::vector<std::string> command_line;
  std::optional<std::string> launch_command;  ///< as given by `beff run`
  std::map<std::string, std::string> mpi_variables;

  [[nodiscard]] int nodes() const { return static_cast<int>(hosts.size()); }
};

[[nodiscard]] Json to_json(const Environment& environment);

/// What is known of the threads of a process: `OMP_NUM_THREADS=4; a process may use 4 cores`.
[[nodiscard]] std::string threads_text(const Environment& environment);

/// The machine as both last lines name it: the words of `uname -a`.
[[nodiscard]] std::string machine_text(const Uname& system);

}  // namespace beff
