#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "bindings.hpp"
#include "core/random_permutation.hpp"
#include "core/record/counters.hpp"
#include "core/record/device_buffers.hpp"
#include "core/record/digest.hpp"
#include "core/record/environment.hpp"
#include "core/record/hosts.hpp"
#include "core/record/json.hpp"
#include "core/record/packed.hpp"
#include "core/units/quantity_text.hpp"
#include "engines/common/counters/counters.hpp"
#include "engines/common/host/cpu_set.hpp"

namespace nb = nanobind;

namespace {

using beff::HostWires;
using beff::Json;
using beff::PortCounters;

template <class Number>
void take(std::optional<Number>& number, const Json& field) {
  number = field.is_null() ? std::nullopt : std::optional(field.get<Number>());
}

Json json_of(const HostWires& wires) {
  const auto port_json = [](const PortCounters& port) {
    return Json{{"name", port.name},
                {"kind", port.kind},
                {"active", port.active},
                {"bytes_per_s", beff::or_null(port.bytes_per_s)},
                {"numa_node", beff::or_null(port.numa_node)},
                {"near_processes", beff::or_null(port.near_processes)},
                {"sent_bytes", port.sent_bytes},
                {"errors", port.errors}};
  };
  return {{"payload_bytes", beff::or_null(wires.payload_bytes)},
          {"inside_bytes", beff::or_null(wires.inside_bytes)},
          {"retransmits", wires.retransmits},
          {"ports", beff::json_list(wires.ports, port_json)}};
}

HostWires host_wires_of(const Json& fields) {
  HostWires wires{.retransmits = fields.at("retransmits"), .ports = {}};
  take(wires.payload_bytes, fields.at("payload_bytes"));
  take(wires.inside_bytes, fields.at("inside_bytes"));
  for (const auto& of_port : fields.at("ports")) {
    auto& port = wires.ports.emplace_back(
        PortCounters{.name = of_port.at("name"), .kind = of_port.at("kind")});
    port.active = of_port.at("active");
    port.sent_bytes = of_port.at("sent_bytes");
    take(port.bytes_per_s, of_port.at("bytes_per_s"));
    take(port.numa_node, of_port.at("numa_node"));
    take(port.near_processes, of_port.at("near_processes"));
    port.errors = of_port.at("errors");
  }
  return wires;
}

/// As rank 0 gets it from a leader.
HostWires sent(const HostWires& wires) {
  std::string bytes;
  beff::pack(bytes, wires);
  std::string_view rest = bytes;
  HostWires received;
  beff::unpack(rest, received);
  return received;
}

}  // namespace

void bind_common(nb::module_& module) {
  module.def("port_counters", [](const std::string& sys, const std::string& proc) {
    return json_of(beff::read_port_counters(sys, proc)).dump();
  });
  module.def("numa_node_of", [](const std::string& sys, const std::string& cpus) {
    return beff::numa_node_of(sys, beff::parse_cpu_list(cpus));
  });
  // what hosts carried, as it is recorded and said
  module.def("wires", [](const std::string& of_hosts) {
    std::vector<beff::HostWires> wires;
    std::vector<beff::Host> hosts;
    for (const auto& host : beff::Json::parse(of_hosts)) {
      hosts.push_back({.name = "n" + std::to_string(hosts.size()), .processes = 1});
      wires.push_back(sent(host_wires_of(host)));
    }
    std::vector<beff::Statement> cautions;
    beff::add_wires_cautions(cautions, wires, hosts);
    const beff::Json told = {
        {"wires", beff::wires_json(wires)},
        {"text", beff::wires_text(wires)},
        {"cautions", beff::json_list(cautions, [](const beff::Statement& found) {
           return beff::to_json(found);
         })}};
    return told.dump();
  });
  module.def("host_hardware", [](const std::string& sys) {
    return beff::to_json(beff::read_host_hardware(sys)).dump();
  });
  module.def("assigned_devices", &beff::assigned_devices);
  // of hosts n0, n1 … with these nodes of ranks, PCI addresses of their devices: as it is recorded
  module.def("device_hosts", [](const std::vector<int>& placement,
                                const std::vector<std::string>& addresses) {
    std::vector<beff::Host> hosts;
    for (const int node : placement) {
      while (std::cmp_less_equal(hosts.size(), node)) {
        hosts.push_back({.name = "n" + std::to_string(hosts.size()), .processes = 1});
      }
    }
    std::vector<beff::Device> devices;
    for (const auto& address : addresses) {
      devices.emplace_back().pci_address = address;
    }
    const beff::DeviceBuffers buffers{.kind = beff::MemoryKind::kCuda,
                                      .hosts = beff::equal_device_hosts(hosts, placement, devices)};
    return beff::to_json(std::optional(buffers)).dump();
  });
  module.def("parse_size", [](const std::string& text) { return beff::parse_size(text); });
  module.def("parse_duration", [](const std::string& text) { return beff::parse_duration(text); });
  module.def("format_size", &beff::format_size);
  module.def("format_duration", &beff::format_duration);
  module.def("memory_text", &beff::memory_text);
  module.def("host_list", [](const std::vector<std::string>& names) {
    std::vector<beff::Host> hosts;
    for (const auto& name : names) {
      hosts.push_back({.name = name, .processes = 1});
    }
    return beff::compressed_host_list(hosts);
  });
  module.def("place_in_slurm",
             [](const std::string& node, const std::string& address, const std::string& pattern) {
               const auto place = beff::place_in_slurm(node, address, pattern);
               return std::pair(place.node, place.switches);
             });
  // name, Slurm's name and switches of each host, as they are recorded
  module.def("recorded_hosts", [](const std::vector<std::array<std::string, 3>>& given) {
    beff::Environment environment;
    for (const auto& [name, node, switches] : given) {
      environment.hosts.push_back(
          {.name = name, .processes = 1, .place = {.node = node, .switches = switches}});
    }
    beff::drop_copied_places(environment.hosts);
    return beff::to_json(environment)["hosts"].dump();
  });
  // of hosts n0, n1 …
  module.def("numbered_kernels", &beff::numbered_kernels);
  module.def("hosts_of_one_kernel", [](const std::vector<int>& kernels) {
    std::vector<beff::Host> hosts;
    for (std::size_t node = 0; node < kernels.size(); ++node) {
      hosts.push_back({.name = "n" + std::to_string(node), .processes = 1});
    }
    return beff::hosts_of_one_kernel(hosts, kernels);
  });
  module.def("digest_of_text", [](const std::string& text) {
    beff::Digest digest;
    digest.add(std::string_view(text));
    return digest.hex();
  });
  nb::class_<beff::RandomPermutation>(module, "RandomPermutation")
      .def(nb::init<std::uint64_t, int>())
      .def("at", &beff::RandomPermutation::at)
      .def("index_of", &beff::RandomPermutation::index_of);
  module.def("pattern_seed", &beff::pattern_seed);
}
