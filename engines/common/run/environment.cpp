#include "engines/common/run/program.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <string_view>
#include <thread>
#include <vector>

#include "engines/common/host/capacity.hpp"
#include "engines/common/host/host.hpp"
#include "engines/common/mpi/agree.hpp"
#include "engines/common/mpi/clock.hpp"
#include "engines/common/mpi/launch.hpp"
#include "engines/common/watch/end.hpp"

namespace beff {
namespace {

/// How the program was built: CMake's build type, or "sanitized" with sanitizers.
#if defined(__SANITIZE_ADDRESS__)
constexpr const char* kBuildType = "sanitized";
#else
constexpr const char* kBuildType = BEFF_BUILD_TYPE;
#endif

/// The compiler with its version, and the C++ library where it is not GCC's.
std::string compiler_text() {
#if defined(__INTEL_LLVM_COMPILER)
  std::string name = fmt::format("Intel oneAPI {}", __INTEL_LLVM_COMPILER);
#elif defined(__NVCOMPILER)
  std::string name = fmt::format("NVIDIA HPC {}.{}.{}", __NVCOMPILER_MAJOR__, __NVCOMPILER_MINOR__,
                                 __NVCOMPILER_PATCHLEVEL__);
#elif defined(__clang__)
  std::string name =
      fmt::format("Clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
  std::string name = fmt::format("GCC {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
#if defined(_LIBCPP_VERSION)
  name += " with libc++";
#endif
  return name;
}

std::string thread_level_name(int level) {
  switch (level) {
    case MPI_THREAD_SINGLE:
      return "MPI_THREAD_SINGLE";
    case MPI_THREAD_FUNNELED:
      return "MPI_THREAD_FUNNELED";
    case MPI_THREAD_SERIALIZED:
      return "MPI_THREAD_SERIALIZED";
    default:
      return "MPI_THREAD_MULTIPLE";
  }
}

MpiLibrary read_mpi_library(const MpiSession& session) {
  int version = 0;
  int subversion = 0;
  MPI_Get_version(&version, &subversion);
  return {.library = mpi_library_text(),
          .standard = fmt::format("{}.{}", version, subversion),
          .thread_level = thread_level_name(session.thread_level())};
}

/// The variables that steer MPI libraries and their transports; none that may hold a secret.
std::map<std::string, std::string> mpi_variables() {
  constexpr std::array<std::string_view, 12> kPrefixes{
      "OMPI_MCA_", "PRTE_MCA_", "PMIX_MCA_", "MPIR_CVAR_", "MPICH_", "I_MPI_",
      "UCX_",      "FI_",       "HYDRA_",    "MV2_",       "PSM2_",  "ROMIO_"};
  std::map<std::string, std::string> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const auto equals = text.find('=');
    const auto known = [&](std::string_view prefix) { return text.starts_with(prefix); };
    if (equals != std::string_view::npos && std::ranges::any_of(kPrefixes, known)) {
      variables.emplace(text.substr(0, equals), text.substr(equals + 1));
    }
  }
  return variables;
}

/// The memory of each of a node's processes as stated, or its share of what is there.
Bytes memory_of_process(const StatedMemory& stated, Bytes share, int local_processes) {
  if (stated.per_process || !stated.per_node) {
    return stated.per_process.value_or(share);
  }
  return *stated.per_node / local_processes;
}

/// Memory of the system: of its processes or nodes, unless stated. Throws UsageError.
Bytes total_memory(const StatedMemory& stated, Bytes of_processes, Bytes of_nodes) {
  const bool by_nodes = stated.total_of_nodes && of_nodes > of_processes;
  const Bytes least = by_nodes ? of_nodes : of_processes;
  const Bytes total = stated.total.value_or(least);
  if (total < least) {
    throw UsageError(fmt::format("--total-memory {}: its {} have {} already; give more",
                                 format_size(total), by_nodes ? "nodes" : "processes",
                                 format_size(least)));
  }
  return total;
}

/// Throws on all ranks when some node or device has less memory than is stated for its processes.
void check_stated_memory(const Nodes& nodes, const StatedMemory& stated, Bytes share,
                         std::string_view owner) {
  const bool is_stated = stated.per_process || stated.per_node;
  if (kSimulated && !is_stated) {
    throw UsageError(
        "a simulated host does not report its memory; give --memory-per-process, for example 2GiB");
  }
  if (kSimulated || !is_stated) {
    return;
  }
  const Bytes needed = memory_of_process(stated, share, nodes.local_processes());
  const auto lowest = allreduce(std::array{share - needed, share}, MPI_MIN);
  if (lowest[0] >= 0) {
    return;
  }
  if (stated.per_process) {
    throw UsageError(fmt::format(
        "--memory-per-process {}: a {} has only {} for each of its processes; give at most that, "
        "start fewer processes per node, or leave the option out",
        format_size(*stated.per_process), owner, format_size(lowest[1])));
  }
  throw UsageError(
      fmt::format("--memory-per-node {}: a {} has less memory than that; give at most what the "
                  "smallest {} has, or leave the option out",
                  format_size(*stated.per_node), owner, owner));
}

std::string memory_source(const StatedMemory& stated, const MemoryLimit& limit, int sharers) {
  if (stated.per_process) {
    return stated.per_process_by;
  }
  if (stated.per_node) {
    return fmt::format("given by --memory-per-node, shared by {} processes", sharers);
  }
  return fmt::format("{} {} shared by {} processes", limit.source, format_size(limit.bytes),
                     sharers);
}

/// Lets processes of a host exchange a long message, which libraries move by reading the memory of
/// the other. Aborts the job, with the way out, where that fails.
void try_long_message(int rank, const Nodes& nodes, Watchdog& watchdog) {
  constexpr int kLength = 1 << 20;
  constexpr std::chrono::seconds kTimeOfRank0{1};
  const MPI_Comm comm = nodes.local();
  const int local_rank = rank_in(comm);
  const int size = size_of(comm);
  watchdog.enter("set-up: trying a long message");  // a step of all, also of who is alone
  if (kSimulated || size == 1) {
    return;
  }
  const std::vector<char> sent(kLength);
  std::vector<char> received(kLength);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  const int code =
      MPI_Sendrecv(sent.data(), kLength, MPI_CHAR, (local_rank + 1) % size, 0, received.data(),
                   kLength, MPI_CHAR, (local_rank + size - 1) % size, 0, comm, MPI_STATUS_IGNORE);
  if (code == MPI_SUCCESS) {
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
    return;
  }
  const auto why = error_text(code);
  const bool is_refused = why.find("process_vm_") != std::string::npos;
  if (rank != 0) {
    std::this_thread::sleep_for(kTimeOfRank0);  // one of them speaks
  }
  const bool is_open_mpi = mpi_family(mpi_library_text()) == MpiFamily::kOpenMpi;
  watchdog.abort(fmt::format(
      "cannot exchange long messages: {}",
      is_refused
          ? fmt::format("process_vm_readv is not permitted (container, ptrace_scope); give it "
                        "--cap-add SYS_PTRACE or another seccomp profile, or set {}",
                        is_open_mpi ? "OMPI_MCA_smsc=^cma" : "MPIR_CVAR_CH4_CMA_ENABLE=0")
          : why));
}

}  // namespace

Memory memory_for_plan(const StatedMemory& stated, int processes) {
  const auto hardware = read_hardware();
  const auto limit = usable_memory(hardware.memory);
  const int local = std::clamp(processes, 1, std::max(1, hardware.cpu.cores));
  const Bytes per_process = memory_of_process(stated, limit.bytes / local, local);
  const Bytes of_nodes = limit.bytes * ((processes + local - 1) / local);
  return {.per_process = per_process,
          .total = total_memory(stated, per_process * processes, of_nodes),
          .of_nodes = of_nodes,
          .source = memory_source(stated, limit, local)};
}

Environment gather_environment(const MpiSession& session, Watchdog& watchdog, const Nodes& nodes,
                               const StatedMemory& stated, const ChosenMemory& chosen,
                               std::vector<std::string> command_line) {
  watchdog.enter("set-up: reading the hardware");
  Environment environment;
  environment.started_at = utc_text(time_of_day());
  Hardware hardware;
  MemoryLimit limit{};
  if (kSimulated) {
    hardware.cpu.model = hardware.topology = "simulated";
  } else if (nodes.is_leader()) {
    hardware = read_hardware();
    limit = usable_memory(hardware.memory);
  }
  watchdog.enter("set-up: agreeing on memory and cores");
  const auto capacity = find_capacity(nodes, hardware, limit);
  const auto& device = chosen.share;
  const auto source = device
                          ? MemoryLimit{.bytes = device->of_device, .source = "memory of a device"}
                          : capacity.memory;
  const int sharers = device ? device->sharers : capacity.sharers;
  const Bytes share = source.bytes / sharers;
  check_stated_memory(nodes, stated, share, device ? "device" : "node");
  const Bytes per_process =
      allreduce(memory_of_process(stated, share, nodes.local_processes()), MPI_MIN);

  environment.processes = session.size();
  environment.buffers = chosen.buffers;
  environment.why_host_memory = chosen.why_host;
  environment.memory = {
      .per_process = per_process,
      .total = total_memory(stated, per_process * session.size(), capacity.of_all),
      .of_nodes = kSimulated ? std::nullopt : std::optional(capacity.of_all),
      .source = memory_source(stated, source, stated.per_node ? nodes.local_processes() : sharers)};
  environment.cores_per_node_min = capacity.cores_min;
  environment.cpu_quota = capacity.quota;
  environment.oversubscribed = capacity.oversubscribed && !kSimulated;
  environment.simulated = kSimulated;
  watchdog.enter("set-up: reading the name of the host");
  const auto host = host_name();
  watchdog.enter("set-up: gathering hosts and bindings");
  environment.hosts = nodes.hosts(host);
  environment.placement = nodes.placement();
  environment.kernels = nodes.kernels();
  if (!kSimulated) {
    environment.binding = gather_binding(nodes, hardware);
  }
  try_long_message(session.rank(), nodes, watchdog);
  watchdog.enter("set-up: measuring clock and barrier");
  environment.clock = measure_clock();
  if (session.rank() == 0) {
    environment.simulation = simulation_record();
    environment.uname = kSimulated ? simulated_system(*environment.simulation) : read_uname();
    environment.mpi = read_mpi_library(session);
    environment.cpu = hardware.cpu;
    environment.topology = hardware.topology;
    environment.build_type = kBuildType;
    environment.compiler = compiler_text();
    environment.job = read_job([](const char* name) { return std::getenv(name); });
    environment.command_line = std::move(command_line);
    environment.mpi_variables = mpi_variables();
    if (const char* threads = std::getenv("OMP_NUM_THREADS")) {
      environment.omp_num_threads = threads;
    }
    if (const char* launch = std::getenv("BEFF_LAUNCH_COMMAND")) {
      environment.launch_command = launch;
    }
  }
  return environment;
}

}  // namespace beff
