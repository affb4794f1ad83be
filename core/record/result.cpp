#include "core/record/result.hpp"

#include <fmt/format.h>

#include <array>

#include "core/record/json.hpp"

namespace beff {

Criterion exactly(std::int64_t required, std::optional<std::int64_t> count) {
  return {.required = static_cast<double>(required), .found = count, .met = count == required};
}

Criterion judge_build(const Environment& environment) {
  const auto& type = environment.build_type;
  return {.met = type == "Release" || type == "RelWithDebInfo"};
}

Criterion judge_machine(const Environment& environment) { return {.met = !environment.simulated}; }

void add_device_criteria(std::vector<Criterion>& criteria, const Environment& environment) {
  if (const auto& buffers = environment.buffers) {
    criteria.push_back({.met = buffers->confirmed && buffers->all_on_pci_bus(),
                        .code = "device buffers confirmed"});
    criteria.push_back(exactly(1, std::ssize(buffers->most_shared().processes)));
    criteria.back().code = "a device for each process";
  }
}

namespace {

void add_device_cautions(std::vector<Statement>& cautions, const Environment& environment) {
  if (!environment.why_host_memory.empty()) {
    cautions.push_back({"memory of hosts chosen", {{"why", environment.why_host_memory}}});
  }
  const auto& buffers = environment.buffers;
  if (!buffers) {
    return;
  }
  const auto& [device, processes] = buffers->most_shared();
  if (processes.size() > 1) {
    cautions.push_back(
        {"shared device", {{"processes", std::ssize(processes)}, {"device", device.pci_address}}});
  }
  if (!buffers->confirmed) {
    const auto& text = environment.mpi.library;
    auto library = text.substr(0, text.find(','));
    library += buffers->transport.empty() ? "" : " by " + buffers->transport;
    cautions.push_back({"device buffers not seen",
                        {{"memory", std::string(to_string(buffers->kind))},
                         {"driver", device.driver.empty() ? device.api : device.driver},
                         {"library", library}}});
  }
}

}  // namespace

void add_host_cautions(std::vector<Statement>& cautions, const Environment& environment) {
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
  add_device_cautions(cautions, environment);
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

Criterion judge_data(const DataCheck& check) {
  auto data = exactly(0, check.enabled ? std::optional(check.wrong_messages) : std::nullopt);
  data.of = check.messages_checked;
  return data;
}

Json to_json(const DataCheck& check) {
  return {{"enabled", check.enabled},
          {"messages_checked", check.messages_checked},
          {"wrong_messages", check.wrong_messages},
          {"first_error", or_null(check.first_error)}};
}

Json to_json(const Program& program) {
  return {{"name", program.name}, {"version", program.version}, {"git_commit", program.git_commit}};
}

Json head_json(const ResultHead& head, const RunRecord& record, std::string_view definition) {
  return {{"schema_version", kSchemaVersion},
          {"benchmark", head.program.name},
          {"definition", definition},
          {"program", to_json(head.program)},
          {"valid", head.valid()},
          {"complete", record.complete},
          {"criteria", json_list(head.criteria, [](const Criterion& c) { return to_json(c); })},
          {"cautions", json_list(head.cautions, [](const Statement& s) { return to_json(s); })},
          {"environment", to_json(head.environment)},
          {"options", or_null(head.options)},
          {"wires", wires_json(record.wires)},
          {"load", load_json(record.loads)}};
}

std::string head_text(const ResultHead& head) {
  const auto& e = head.environment;
  return fmt::format("{} {} ({})\nStarted {}, wall-clock time {}\n{} processes on {}: {}\n{}",
                     head.program.name, head.program.version, head.program.git_commit, e.started_at,
                     format_duration(e.wall), e.processes, counted(e.nodes(), "node"),
                     compressed_host_list(e.hosts), buffers_text(e.buffers));
}

std::string load_line(const ResultHead& head, const RunRecord& record) {
  const auto load = load_text(record.loads, head.environment.hosts);
  return load.empty() ? "" : fmt::format("Load: {}\n", load);
}

}  // namespace beff
