#include "core/record/result.hpp"

#include <fmt/format.h>

#include "core/record/json.hpp"

namespace beff {

Criterion look_at_data(const DataCheck& check) {
  return exactly(0, check.enabled ? std::optional(check.wrong_messages) : std::nullopt);
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

std::string counters_text(const ResultHead& head, const RunRecord& record) {
  std::string text;
  if (!record.wires.empty()) {
    text +=
        fmt::format("Wires: {}{}\n", wires_text(record.wires), transports_text(head.environment));
  }
  if (const auto load = load_text(record.loads, head.environment.hosts); !load.empty()) {
    text += fmt::format("Load: {}\n", load);
  }
  return text;
}

}  // namespace beff
