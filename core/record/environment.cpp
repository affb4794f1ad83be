#include "core/record/environment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "core/record/json.hpp"

namespace beff {
namespace {

Json to_json(const Host& host) {
  Json json = {{"name", host.name}, {"processes", host.processes}};
  // of many hosts a null for each would be most of the result
  if (!host.place.node.empty() && host.place.node != host.name) {
    json["node"] = host.place.node;
  }
  if (!host.place.switches.empty()) {
    json["switches"] = host.place.switches;
  }
  return json;
}

Json to_json(const Cache& cache) {
  return {{"name", cache.name}, {"bytes", cache.bytes}, {"count", cache.count}};
}

Json to_json(const Cpu& cpu) {
  return {{"model", cpu.model},
          {"packages", cpu.packages},
          {"cores", cpu.cores},
          {"threads", cpu.threads},
          {"numa_nodes", cpu.numa_nodes},
          {"caches", json_list(cpu.caches, [](const Cache& cache) { return to_json(cache); })}};
}

}  // namespace

Json to_json(const Environment& e) {
  return {
      {"started_at", e.started_at},
      {"finished_at", e.finished_at.empty() ? Json(nullptr) : Json(e.finished_at)},
      {"wall_s", e.wall},
      {"uname",
       {{"sysname", e.uname.sysname},
        {"nodename", e.uname.nodename},
        {"release", e.uname.release},
        {"version", e.uname.version},
        {"machine", e.uname.machine}}},
      {"hosts", json_list(e.hosts, [](const Host& host) { return to_json(host); })},
      {"host_list", compressed_host_list(e.hosts)},
      {"processes", e.processes},
      {"nodes", e.nodes()},
      {"placement", runs_text(e.placement)},
      {"kernels", e.kernels.empty() ? Json(nullptr) : Json(runs_text(e.kernels))},
      {"cores_per_node_min", e.cores_per_node_min},
      {"cpu_quota", or_null(e.cpu_quota)},
      {"oversubscribed", e.oversubscribed},
      {"simulated", e.simulated},
      {"simulation", or_null(e.simulation)},
      {"memory_per_process_bytes", e.memory.per_process},
      {"total_memory_bytes", e.memory.total},
      {"nodes_memory_bytes", or_null(e.memory.of_nodes)},
      {"memory_source", e.memory.source},
      {"buffers", to_json(e.buffers)},
      {"mpi",
       {{"library", e.mpi.library},
        {"standard", e.mpi.standard},
        {"thread_level", e.mpi.thread_level}}},
      {"cpu", to_json(e.cpu)},
      {"topology", e.topology},
      {"binding",
       {{"bound_processes", e.binding.bound_processes},
        {"unbound_processes", e.binding.unbound_processes},
        {"shared_cores", e.binding.shared_cores},
        {"cores_per_process_min", or_null(e.binding.cores_per_process_min)},
        {"cores_per_process_max", or_null(e.binding.cores_per_process_max)},
        {"first_node", e.binding.first_node}}},
      {"omp_num_threads", or_null(e.omp_num_threads)},
      {"clock",
       {{"resolution_s", e.clock.resolution},
        {"call_cost_s", e.clock.call_cost},
        {"barrier_cost_s", e.clock.barrier_cost}}},
      {"build_type", e.build_type},
      {"compiler", e.compiler},
      {"job",
       e.job ? Json{{"system", e.job->system}, {"partition", e.job->partition}, {"qos", e.job->qos}}
             : Json(nullptr)},
      {"command_line", e.command_line},
      {"launch_command", or_null(e.launch_command)},
      {"environment_variables_of_mpi", e.mpi_variables},
  };
}

std::string machine_text(const Uname& system) {
  return fmt::format("{} {} {} {} {}", system.sysname, system.nodename, system.release,
                     system.version, system.machine);
}

std::string threads_text(const Environment& environment) {
  const auto& omp = environment.omp_num_threads;
  const auto& fewest = environment.binding.cores_per_process_min;
  const auto& most = environment.binding.cores_per_process_max;
  std::string cores = "how many cores a process may use is not known";
  if (fewest && most) {
    cores = "a process may use " + (fewest == most ? counted(*most, "core")
                                                   : fmt::format("{} to {} cores", *fewest, *most));
  }
  return (omp ? "OMP_NUM_THREADS=" + *omp : "OMP_NUM_THREADS not set") + "; " + cores;
}

}  // namespace beff
