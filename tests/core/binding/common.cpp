#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "core/random_permutation.hpp"
#include "core/record/digest.hpp"
#include "core/record/environment.hpp"
#include "core/record/json.hpp"
#include "core/record/kernels.hpp"
#include "core/record/wires.hpp"
#include "core/units/quantity_text.hpp"
#include "engines/common/counters/ports.hpp"
#include "engines/common/host/cpu_set.hpp"

namespace nb = nanobind;

void bind_common(nb::module_& module) {
  module.def("port_counters", [](const std::string& sys, const std::string& proc) {
    return beff::to_json(beff::read_port_counters(sys, proc)).dump();
  });
  module.def("numa_node_of", [](const std::string& sys, const std::string& cpus) {
    return beff::numa_node_of(sys, beff::parse_cpu_list(cpus));
  });
  // what hosts carried, as leaders send it, as it is recorded and said
  module.def("wires", [](const std::string& of_hosts) {
    std::vector<beff::HostWires> wires;
    std::vector<beff::Host> hosts;
    for (const auto& host : beff::Json::parse(of_hosts)) {
      hosts.push_back({.name = "n" + std::to_string(hosts.size()), .processes = 1});
      wires.push_back(beff::host_wires_of(host));
    }
    std::vector<std::string> cautions;
    beff::add_wires_cautions(cautions, wires, hosts);
    const beff::Json told = {{"wires", beff::wires_json(wires)},
                             {"text", beff::wires_text(wires)},
                             {"cautions", cautions}};
    return told.dump();
  });
  module.def("host_hardware", [](const std::string& sys) {
    return beff::to_json(beff::read_host_hardware(sys)).dump();
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
  module.def("kernels_text", [](const std::vector<int>& kernels) {
    beff::Environment environment;
    environment.kernels = kernels;
    for (std::size_t node = 0; node < kernels.size(); ++node) {
      environment.hosts.push_back({.name = "n" + std::to_string(node), .processes = 1});
    }
    return beff::kernels_text(environment);
  });
  module.def("digest_of_text", [](const std::string& text) {
    beff::Digest digest;
    digest.add(std::string_view(text));
    return digest.hex();
  });
  nb::class_<beff::RandomPermutation>(module, "RandomPermutation")
      .def(nb::init<std::uint64_t, int>())
      .def("at", &beff::RandomPermutation::at)
      .def("place_of", &beff::RandomPermutation::place_of);
  module.def("pattern_seed", &beff::pattern_seed);
}
