#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/benchmark.hpp"
#include "core/record/json.hpp"
#include "core/units/quantity_text.hpp"
#include "engines/common/memory/chosen_memory.hpp"
#include "engines/common/run/recorder.hpp"
#include "engines/common/watch/end.hpp"

namespace beff {

/// One command-line option: how it is written, explained, read and recorded.
struct Option {
  std::string name;      ///< without the dashes
  std::string argument;  ///< e.g. "SIZE"; empty for a flag; "[=FORM]" for an optional one
  std::string help;
  /// Takes the argument (empty for a flag). Throws std::invalid_argument whose message completes
  /// the sentence "--name VALUE ...".
  std::function<void(const std::string&)> read;
  /// The effective value for the result's `options`; null function for what is not recorded.
  std::function<Json()> effective;
};

/// The options of a program: parsed, listed by --help and recorded from one table.
class OptionTable {
 public:
  /// The groups follow each other in --help.
  OptionTable(std::string usage, const std::vector<std::vector<Option>>& groups);

  /// Reads the command line. Throws UsageError with one sentence that names option and value.
  void parse(int argc, char** argv) const;
  [[nodiscard]] std::string help() const;
  [[nodiscard]] Json effective() const;

 private:
  std::string usage_;
  std::vector<Option> options_;
};

/// A positive count. Throws std::invalid_argument.
int parse_count(const std::string& text);
/// A whole number from 0 to `largest`. Throws std::invalid_argument.
std::uint64_t parse_natural(const std::string& text, std::uint64_t largest);
/// A positive number. Throws std::invalid_argument.
double parse_positive(const std::string& text);
/// A size of at least one byte. Throws std::invalid_argument.
Bytes parse_positive_size(const std::string& text);
/// A duration above zero. Throws std::invalid_argument.
Seconds parse_positive_duration(const std::string& text);
/// Numbers and ranges such as `0-5,36`, ascending and without repeats, each from 0 to `largest`.
/// Throws std::invalid_argument.
std::vector<int> parse_number_list(const std::string& text, int largest);
/// The parts of a list separated by commas.
std::vector<std::string> split_list(const std::string& text);

/// Memory as the user states it; what is empty is looked up.
struct StatedMemory {
  std::optional<Bytes> per_process;
  std::string per_process_by = "given by --memory-per-process";
  std::optional<Bytes> per_node;
  std::optional<Bytes> total;   ///< of the system
  bool total_of_nodes = false;  ///< the memory of the system is at least that of the nodes
};

/// What a program is to do; the last that is asked for.
enum class Task : std::uint8_t { kMeasure, kHelp, kShowVersion, kPlan, kProbe };

/// What all measuring programs let the user choose.
struct CommonOptions {
  int fewest_processes = 1;
  Task task = Task::kMeasure;
  bool plan_as_json = false;
  std::optional<int> processes;  ///< of the plan
  std::optional<int> nodes;      ///< that the processes have to run on
  std::string output;            ///< prefix of the files
  bool overwrite = false;
  StatedMemory memory;
  MemoryOptions buffers;
  std::optional<std::uint64_t> seed;
  std::optional<Seconds> time_limit;
  std::optional<Seconds> hang_limit;
  ProgressMode progress = ProgressMode::kAuto;
  bool quiet = false;

  /// How long one step may take before a run that is to take `time` is given up.
  [[nodiscard]] Seconds longest_step(Seconds time) const {
    constexpr Seconds kShortest = 600;
    return hang_limit.value_or(std::max(kShortest, time));
  }

  /// The effective values for the result's `options`.
  RecordedJson effective;
  std::string help;
};

/// An option whose argument `parse` makes a `value` of. It is recorded as null where that is empty.
template <class Value, class Parse>
Option value_option(const char* name, const char* argument, const char* help, Value& value,
                    const Parse& parse) {
  return {name, argument, help, [&value, parse](const std::string& text) { value = parse(text); },
          [&value] {
            if constexpr (requires { value.has_value(); }) {
              return or_null(value);
            } else if constexpr (requires { value.empty(); }) {
              return value.empty() ? Json(nullptr) : Json(value);
            } else {
              return Json(value);
            }
          }};
}
/// The same for sizes that may be missing.
Option size_option(const char* name, const char* help, std::optional<Bytes>& value);
/// A recorded flag that makes `value` true.
Option flag_option(const char* name, const char* help, bool& value);
/// A recorded option that takes one of `names`: calls `choose` with its index; `chosen` is empty
/// for none.
Option choice_option(const char* name, const char* help, std::vector<std::string> names,
                     const std::function<void(std::size_t)>& choose,
                     const std::function<std::optional<std::string>()>& chosen);
/// The same for values by the names that to_string() gives them; `value` may be optional, and empty
/// by the name `none`.
template <class Value, class Choice>
Option choice_option(const char* name, const char* help, Value& value,
                     std::initializer_list<Choice> choices, const char* none = nullptr) {
  std::vector<std::string> names;
  std::vector<Value> values;
  for (const Choice choice : choices) {
    names.emplace_back(to_string(choice));
    values.emplace_back(choice);
  }
  if (none != nullptr) {
    names.emplace_back(none);
    values.emplace_back();
  }
  return choice_option(
      name, help, std::move(names),
      [&value, values = std::move(values)](std::size_t index) { value = values.at(index); },
      [&value, none] {
        const std::optional<Choice> chosen = value;
        return chosen            ? std::optional<std::string>(to_string(*chosen))
               : none != nullptr ? std::optional<std::string>(none)
                                 : std::nullopt;
      });
}

/// --help, --version, --plan and its --processes. `plan_help` says what a plan shows.
std::vector<Option> task_options(CommonOptions& options, const char* plan_help);

/// --nodes; see check_nodes().
Option nodes_option(CommonOptions& options);

/// What --help says of a program's seed and limits.
struct CommonHelp {
  const char* seed;
  const char* time_limit;
  const char* hang_limit = "give the run up when one step takes longer (default 10min)";
};

/// Files, memory, seed and time limit; the default prefix is what `options` holds.
std::vector<Option> run_options(CommonOptions& options, const CommonHelp& help);

/// --progress and --quiet.
std::vector<Option> display_options(CommonOptions& options);

/// Records the seed that a run was given or chose; after parse_common().
void set_seed(CommonOptions& options, std::uint64_t seed);

/// What core says of a request, in words of the command line.
UsageError usage_error(const PlanError& problem);

/// Reads the command line into `options`, which the table's rows refer to; then `complete` sets
/// defaults that follow from other options. Throws UsageError with one sentence.
void parse_common(
    const OptionTable& table, CommonOptions& options, int argc, char** argv,
    const std::function<void()>& complete = [] {});

}  // namespace beff
