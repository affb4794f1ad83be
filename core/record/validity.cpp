#include "core/record/validity.hpp"

#include <array>

#include "core/record/json.hpp"

namespace beff {

Criterion exactly(std::int64_t required, std::optional<std::int64_t> found) {
  return {.required = static_cast<double>(required), .found = found, .met = found == required};
}

Criterion look_at_build(const Environment& environment) {
  const auto& type = environment.build_type;
  return {.met = type == "Release" || type == "RelWithDebInfo"};
}

Criterion look_at_machine(const Environment& environment) {
  return {.met = !environment.simulated};
}

void add_device_criterion(std::vector<Criterion>& criteria, const Environment& environment) {
  if (const auto& buffers = environment.buffers) {
    criteria.push_back({.met = row(buffers->kind).confirmed && buffers->all_on_pci_bus(),
                        .code = "device buffers confirmed"});
  }
}

void add_core_cautions(std::vector<Statement>& cautions, const Environment& environment) {
  if (environment.oversubscribed) {
    cautions.push_back({"oversubscribed", {{"cores", environment.cores_per_node_min}}});
    if (const auto& quota = environment.cpu_quota) {
      cautions.push_back({"cpu quota", {{"cpus", *quota}}});
    }
  } else if (const int sets = environment.binding.shared_cores; sets > 0) {
    cautions.push_back({"shared cores", {{"sets", sets}}});
  }
  if (auto hosts = hosts_of_one_kernel(environment.hosts, environment.kernels); !hosts.empty()) {
    cautions.push_back({"shared kernel", {{"hosts", std::move(hosts)}}});
  }
}

Json to_json(const Criterion& criterion) {
  constexpr std::array kUnits{"count", "s", "bytes", "percent"};
  const auto number = [&](const std::optional<double>& value) {
    const bool whole = criterion.unit == Unit::kCount || criterion.unit == Unit::kBytes;
    return value && whole ? Json(static_cast<std::int64_t>(*value)) : or_null(value);
  };
  return {{"code", criterion.code},
          {"required", number(criterion.required)},
          {"found", number(criterion.found)},
          {"unit", kUnits.at(static_cast<std::size_t>(criterion.unit))},
          {"met", criterion.met}};
}

Json to_json(const Statement& statement) {
  Json facts = Json::object();
  for (const auto& [name, fact] : statement.facts) {
    facts[std::string(name)] = std::visit([](const auto& value) { return Json(value); }, fact);
  }
  return {{"code", statement.code}, {"facts", facts}};
}

}  // namespace beff
