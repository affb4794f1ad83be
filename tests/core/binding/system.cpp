// What the engines read of the system, from trees like /sys and /proc, as seen by its tests.
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/set.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <filesystem>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "core/record/environment.hpp"
#include "core/record/json.hpp"
#include "engines/b_eff_io/storage.hpp"
#include "engines/common/counters/counters.hpp"
#include "engines/common/host/cpu_set.hpp"
#include "engines/common/host/hardware.hpp"
#include "engines/common/host/system.hpp"

namespace nb = nanobind;

namespace {

/// The processors as they are recorded.
nb::dict hardware(const std::filesystem::path& root) {
  const auto found = beff::look_at_hardware(root);
  beff::Environment environment;
  environment.cpu = found.cpu;
  const auto recorded = beff::to_json(environment).at("cpu");
  nb::dict fields;
  fields["model"] = recorded.at("model").get<std::string>();
  for (const char* name : {"packages", "cores", "threads", "numa_nodes"}) {
    fields[name] = recorded.at(name).get<int>();
  }
  nb::list caches;
  for (const auto& cache : recorded.at("caches")) {
    caches.append(nb::make_tuple(cache.at("name").get<std::string>(),
                                 cache.at("bytes").get<beff::Bytes>(),
                                 cache.at("count").get<int>()));
  }
  fields["caches"] = caches;
  fields["memory"] = found.memory;
  fields["cpu_quota"] = found.cpu_quota ? nb::cast(*found.cpu_quota) : nb::none();
  return fields;
}

nb::object striping(const nb::bytes& attribute) {
  const auto* first = static_cast<const std::byte*>(attribute.data());
  const auto found = beff::b_eff_io::lustre_striping(std::span(first, attribute.size()));
  if (!found) {
    return nb::none();
  }
  const auto or_none = [](const auto& value) -> nb::object {
    return value ? nb::cast(*value) : nb::none();
  };
  return nb::make_tuple(or_none(found->stripe_size), or_none(found->stripe_count),
                        or_none(found->components), found->pool);
}

nb::object mount_of(const std::filesystem::path& folder, const std::filesystem::path& table) {
  const auto found = beff::b_eff_io::mount_of(folder, table);
  if (!found) {
    return nb::none();
  }
  return nb::make_tuple(found->point, found->kind, found->source, found->options,
                        found->of_file_system);
}

/// The load between two trees of the system, with processes by their CPUs and seconds in user mode,
/// as it is recorded and said of hosts n0, n1 …
nb::tuple load_between(const std::filesystem::path& before, const std::filesystem::path& after,
                       const std::vector<std::pair<std::set<int>, double>>& processes,
                       double elapsed) {
  std::vector<beff::ProcessTime> of_processes;
  for (const auto& [cpus, user] : processes) {
    of_processes.push_back({.cpus = cpus, .user = user});
  }
  const auto load =
      beff::load_between(beff::read_load(before), beff::read_load(after), of_processes, elapsed);
  return nb::make_tuple(beff::load_json({load}).dump(),
                        beff::load_text({load}, {{.name = "n0", .processes = 1}}));
}

/// What files lie on, and what the devices below have read.
nb::tuple storage_of(const std::filesystem::path& folder, const std::filesystem::path& root) {
  const auto found = beff::b_eff_io::storage_of(folder, root);
  const auto read = beff::b_eff_io::bytes_read_by(found.devices, root);
  return nb::make_tuple(found.below, found.in_memory, std::string(to_string(found.reads_seen_by)),
                        read && !found.devices.empty() ? nb::cast(*read) : nb::none());
}

nb::object job(const std::map<std::string, std::string>& variables) {
  const auto found = beff::look_at_job([&](const char* name) {
    const auto entry = variables.find(name);
    return entry == variables.end() ? nullptr : entry->second.c_str();
  });
  if (!found) {
    return nb::none();
  }
  return nb::make_tuple(found->system, found->partition, found->qos);
}

}  // namespace

void bind_system(nb::module_& module) {
  module.def("hardware", &hardware);
  module.def("memory_limit", [](beff::Bytes installed, const std::filesystem::path& root) {
    const auto limit = beff::usable_memory(installed, root);
    return nb::make_tuple(limit.bytes, limit.source);
  });
  module.def("cpu_list",
             [](const std::string& text) { return beff::cpu_list(beff::parse_cpu_list(text)); });
  module.def("cpus_of_words", [](const std::vector<unsigned long>& words) {
    return beff::cpu_set(words.data(), words.size());
  });
  module.def("cores_of", &beff::cores_of);
  module.def("crowded_sets", &beff::crowded_sets);
  module.def("load_between", &load_between);
  module.def("lustre_striping", &striping);
  module.def("mount_of", &mount_of);
  module.def("storage_of", &storage_of);
  module.def("batch_job", &job);
}
