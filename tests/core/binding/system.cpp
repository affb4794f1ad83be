// What all programs share, and what the engines read of trees like /sys and /proc.
#include <array>
#include <cstddef>
#include <filesystem>
#include <set>
#include <span>
#include <tuple>

#include "core/record/columns.hpp"
#include "core/record/counters.hpp"
#include "core/record/device_buffers.hpp"
#include "core/record/hosts.hpp"
#include "core/record/packed.hpp"
#include "core/units/quantity_text.hpp"
#include "engines/b_eff_io/storage.hpp"
#include "engines/common/counters/counters.hpp"
#include "engines/common/host/host.hpp"
#include "entry.hpp"

namespace beff {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(PortCounters, name, kind, active, sent_bytes, bytes_per_s,
                                   numa_node, near_processes, errors)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(HostWires, payload_bytes, inside_bytes, retransmits, ports)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(PlaceInJob, node, switches)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(BatchJob, system, partition, qos)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(MemoryLimit, bytes, source)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ProcessTime, cpus, user)

namespace b_eff_io {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Striping, stripe_size, stripe_count, components, pool)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Mount, point, kind, source, options, of_file_system)

}  // namespace b_eff_io

}  // namespace beff

namespace beff::testing {

std::vector<Host> numbered_hosts(std::size_t count, int processes, const std::string& prefix) {
  std::vector<Host> hosts;
  while (hosts.size() < count) {
    hosts.push_back({.name = prefix + std::to_string(hosts.size()), .processes = processes});
  }
  return hosts;
}

Environment scripted_environment(const std::string& program, int processes, int hosts,
                                 Bytes memory_per_process, Seconds wall) {
  const int each = processes / hosts;
  Environment environment;
  environment.wall = wall;
  environment.started_at = "2026-01-02T03:04:05Z";
  environment.finished_at = "2026-01-02T03:05:05Z";
  environment.uname = {
      .sysname = "Linux", .nodename = "fake", .release = "1", .version = "#1", .machine = "x86_64"};
  environment.hosts = numbered_hosts(static_cast<std::size_t>(hosts), each, "h");
  for (int host = 0; host < hosts; ++host) {
    environment.placement.insert(environment.placement.end(), static_cast<std::size_t>(each), host);
  }
  environment.processes = processes;
  environment.cores_per_node_min = each;
  environment.memory = {.per_process = memory_per_process,
                        .total = memory_per_process * processes,
                        .source = "given"};
  environment.mpi = {.library = "scripted", .standard = "0.0", .thread_level = "none"};
  environment.cpu.model = "scripted";
  environment.topology = "none";
  environment.build_type = "Release";
  environment.command_line = {program};
  return environment;
}

namespace {

using Path = std::string;
using Texts = std::vector<std::string>;

/// The processors as they are recorded, and what of the machine a job may use.
Json hardware(const Path& root) {
  const auto node = read_hardware(root);
  Environment environment;
  environment.cpu = node.cpu;
  auto fields = to_json(environment).at("cpu");
  fields["memory"] = node.memory;
  fields["cpu_quota"] = or_null(node.cpu_quota);
  return fields;
}

/// What files lie on, and what the devices below have read.
Json storage(const Path& folder, const Path& root) {
  const auto lowest_storage = b_eff_io::storage_of(folder, root);
  const auto read = b_eff_io::bytes_read_by(lowest_storage.devices, root);
  return std::tuple(lowest_storage.below, lowest_storage.in_memory,
                    std::string(to_string(lowest_storage.reads_seen_by)),
                    lowest_storage.devices.empty() ? std::nullopt : read);
}

/// The load between two trees of the system, as it is recorded and said of host n0.
Json load(const Path& before, const Path& after, const std::vector<ProcessTime>& processes,
          double elapsed) {
  const auto host_load = load_between(read_load(before), read_load(after), processes, elapsed);
  return {load_json({host_load}), load_text({host_load}, numbered_hosts(1))};
}

std::optional<BatchJob> job(const std::map<std::string, std::string>& variables) {
  return read_job([&](const char* name) {
    const auto entry = variables.find(name);
    return entry == variables.end() ? nullptr : entry->second.c_str();
  });
}

/// What hosts carried, as rank 0 gets it from a leader and records it.
Json wires(const std::vector<HostWires>& given) {
  std::vector<HostWires> received;
  for (const auto& host : given) {
    std::string bytes;
    pack(bytes, host);
    std::string_view rest = bytes;
    unpack(rest, received.emplace_back());
  }
  return wires_json(received);
}

/// Of hosts n0, n1 … with these nodes of ranks, PCI addresses of their devices: as it is recorded.
Json device_hosts(const std::vector<int>& placement, const Texts& addresses) {
  const auto nodes = static_cast<std::size_t>(*std::ranges::max_element(placement)) + 1;
  std::vector<Device> devices;
  for (const auto& address : addresses) {
    devices.emplace_back().pci_address = address;
  }
  return to_json(std::optional(
      DeviceBuffers{.kind = MemoryKind::kCuda,
                    .hosts = equal_device_hosts(numbered_hosts(nodes), placement, devices)}));
}

bool was_seen_on(const std::string& kind, const std::string& driver, const std::string& library,
                 const std::string& transport, bool through_host) {
  Device device;
  device.driver = driver;
  return was_seen({.kind = kind == "cuda" ? MemoryKind::kCuda : MemoryKind::kHip,
                   .transport = transport,
                   .files_through_host = through_host,
                   .hosts = {{.hosts = "n", .devices = {{.device = device, .processes = {0}}}}}},
                  library);
}

std::string host_list(const Texts& names) {
  std::vector<Host> hosts;
  for (const auto& name : names) {
    hosts.push_back({.name = name, .processes = 1});
  }
  return compressed_host_list(hosts);
}

/// Name, Slurm's name and switches of each host, as they are recorded.
Json recorded_hosts(const std::vector<std::array<std::string, 3>>& given) {
  Environment environment;
  for (const auto& [name, node, switches] : given) {
    environment.hosts.push_back(
        {.name = name, .processes = 1, .place = {.node = node, .switches = switches}});
  }
  drop_copied_places(environment.hosts);
  return to_json(environment)["hosts"];
}

}  // namespace

Computations computations_of_system() {
  return {
      {"hardware", over(&hardware)},
      {"memory_limit", over([](Bytes installed, const Path& root) {
         return Json(usable_memory(installed, root));
       })},
      {"cpu_list", over([](const std::string& text) { return cpu_list(parse_cpu_list(text)); })},
      {"cpus_of_words", over([](const std::vector<unsigned long>& words) {
         return cpu_set(words.data(), words.size());
       })},
      {"cores_of", over(&cores_of)},
      {"crowded_sets", over(&crowded_sets)},
      {"load_between", over(&load)},
      {"lustre_striping", over([](const std::vector<std::uint8_t>& attribute) {
         return Json(b_eff_io::lustre_striping(std::as_bytes(std::span(attribute))));
       })},
      {"mount_of", over([](const Path& folder, const Path& table) {
         return Json(b_eff_io::mount_of(folder, table));
       })},
      {"storage_of", over(&storage)},
      {"batch_job", over(&job)},
      {"port_counters",
       over([](const Path& sys, const Path& proc) { return Json(read_port_counters(sys, proc)); })},
      {"numa_node_of", over([](const Path& sys, const std::string& cpus) {
         return numa_node_of(sys, parse_cpu_list(cpus));
       })},
      {"wires", over(&wires)},
      {"host_hardware", over([](const Path& sys) { return to_json(read_host_hardware(sys)); })},
      {"assigned_devices", over(&assigned_devices)},
      {"device_hosts", over(&device_hosts)},
      {"was_seen", over(&was_seen_on)},
      {"parse_size", over([](const std::string& text) { return parse_size(text); })},
      {"parse_duration", over([](const std::string& text) { return parse_duration(text); })},
      {"format_size", over(&format_size)},
      {"format_duration", over(&format_duration)},
      {"memory_text", over(&memory_text)},
      {"host_list", over(&host_list)},
      {"place_in_slurm",
       over([](const std::string& node, const std::string& address, const std::string& pattern) {
         return Json(place_in_slurm(node, address, pattern));
       })},
      {"recorded_hosts", over(&recorded_hosts)},
      {"numbered_kernels", over(&numbered_kernels)},
      {"hosts_of_one_kernel", over([](const std::vector<int>& kernels) {
         return hosts_of_one_kernel(numbered_hosts(kernels.size()), kernels);
       })},
  };
}

}  // namespace beff::testing
