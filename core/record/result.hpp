#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/counters.hpp"
#include "core/record/environment.hpp"
#include "core/record/json_fwd.hpp"
#include "core/record/validity.hpp"

namespace beff {

/// Outcome of comparing the first and last byte of received messages.
struct MessageCheck {
  std::int64_t messages_checked = 0;
  std::int64_t wrong_messages = 0;
  std::optional<std::string> first_error{};  ///< where the first wrong message was seen

  void add(const MessageCheck& later) {
    messages_checked += later.messages_checked;
    wrong_messages += later.wrong_messages;
    first_error = first_error ? first_error : later.first_error;
  }
};

/// The same for a whole run.
struct DataCheck : MessageCheck {
  bool enabled = true;
};

/// The rule that all messages that were checked are right, and that they were.
[[nodiscard]] Criterion look_at_data(const DataCheck& check);

[[nodiscard]] Json to_json(const DataCheck& check);

/// Version of the result file; rises when a reader of the old one would misread the new one.
inline constexpr int kSchemaVersion = 2;

/// The measuring program as recorded in its results.
struct Program {
  std::string name;
  std::string version;
  std::string git_commit;  ///< "unknown" outside a git checkout
};

[[nodiscard]] Json to_json(const Program& program);

/// Version of the project, e.g. "0.1.0"; stands in CMakeLists.txt only.
extern const char* const kProgramVersion;
/// Commit the programs were built from, with "-dirty" for local changes; "unknown" without git.
extern const char* const kGitCommit;

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
  RecordedJson options;                 ///< effective
  std::optional<Seconds> time_limit{};  ///< that bounds the run
  std::vector<Criterion> criteria{};
  std::vector<Statement> cautions{};

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
