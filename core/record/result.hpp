#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/record/counters.hpp"
#include "core/record/environment.hpp"
#include "core/record/json_fwd.hpp"

namespace beff {

enum class Unit : std::uint8_t { kCount, kSeconds, kBytes, kPercent };

/// One rule that a result must meet to be valid for comparison, as facts: core/record/sentences.cpp
/// makes words of them.
struct Criterion {
  std::optional<double> required{};  ///< empty where the rule knows no number
  std::optional<double> found{};     ///< empty where it is not known
  Unit unit = Unit::kCount;
  bool met = false;
  std::string_view code{};
  std::int64_t of = 0;  ///< how many were looked at, where `found` counts some of them
};

/// A count that must be exactly so.
[[nodiscard]] Criterion exactly(std::int64_t required, std::optional<std::int64_t> count);

/// A row of a benchmark's table of rules; `Run` is all that is known of a run.
template <class Run>
struct Rule {
  std::string_view code;
  Criterion (*judge)(const Run& run);
};

/// In the order of the table.
template <class Rules, class Run>
[[nodiscard]] std::vector<Criterion> judged_by(const Rules& rules, const Run& run) {
  std::vector<Criterion> criteria;
  for (const auto& [code, judge] : rules) {
    criteria.push_back(judge(run));
    criteria.back().code = code;
  }
  return criteria;
}

[[nodiscard]] inline bool all_met(const std::vector<Criterion>& criteria) {
  return std::ranges::all_of(criteria, &Criterion::met);
}

using Fact = std::variant<std::int64_t, double, std::string, std::vector<std::int64_t>>;

/// What a reader of a result should know, as a code and its facts. The end of a fact's name tells
/// its unit: `_s`, `_bytes`, `_percent`, or none.
struct Statement {
  std::string_view code;
  std::vector<std::pair<std::string_view, Fact>> facts{};
};

/// The rules that are the same for all benchmarks: an optimised build, a real machine.
[[nodiscard]] Criterion judge_build(const Environment& environment);
[[nodiscard]] Criterion judge_machine(const Environment& environment);

/// The rules for buffers in the memory of devices, where they lie there: the system shows each
/// device, and they were seen on a real one; each process has a device of its own.
void add_device_criteria(std::vector<Criterion>& criteria, const Environment& environment);

/// Cautions that are the same for all benchmarks: processes that share cores, hosts that share a
/// kernel; devices that processes share or that were not seen, and why there are none.
void add_host_cautions(std::vector<Statement>& cautions, const Environment& environment);

[[nodiscard]] Json to_json(const Criterion& criterion);
[[nodiscard]] Json to_json(const Statement& statement);

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
[[nodiscard]] Criterion judge_data(const DataCheck& check);

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

/// Line of a protocol: what others had of the time; empty where that is little, or not known.
[[nodiscard]] std::string load_line(const ResultHead& head, const RunRecord& record);

/// What a criterion requires, and what was found, as protocols say it.
[[nodiscard]] std::string required_text(const Criterion& criterion);
[[nodiscard]] std::string found_text(const Criterion& criterion, const Environment& environment);

[[nodiscard]] std::string sentence(const Statement& statement);

/// Lines of the protocol: the cautions, then what is not met, each behind `stamp`.
[[nodiscard]] std::string doubts_text(const ResultHead& head, std::string_view stamp);

}  // namespace beff
