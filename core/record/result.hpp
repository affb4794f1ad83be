#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/environment.hpp"
#include "core/record/json_fwd.hpp"
#include "core/record/load.hpp"
#include "core/record/program.hpp"
#include "core/record/validity.hpp"
#include "core/record/wires.hpp"

namespace beff {

/// What every benchmark notes of a run beside its figures.
struct RunRecord {
  std::vector<HostWires> wires{};           ///< what was carried, of each host
  std::vector<HostLoad> loads{};            ///< of each host
  bool complete = false;                    ///< everything in the plan was measured
  std::optional<std::string> stopped_by{};  ///< why not complete, for the reader
};

/// What the result of every benchmark begins with.
struct ResultHead {
  Program program;
  Environment environment;
  RecordedJson options;  ///< effective
  std::vector<Criterion> criteria{};
  std::vector<std::string> cautions{};

  [[nodiscard]] bool valid() const { return all_met(criteria); }
};

/// The fields of the result file that all benchmarks have; `definition` is that of the value.
[[nodiscard]] Json head_json(const ResultHead& head, const RunRecord& record,
                             std::string_view definition);

/// Begin of a protocol: program, start, processes and hosts.
[[nodiscard]] std::string head_text(const ResultHead& head);

/// Lines of a protocol: what carried the messages, and what others had of the time; empty where
/// nothing is known.
[[nodiscard]] std::string counters_text(const ResultHead& head, const RunRecord& record);

}  // namespace beff
