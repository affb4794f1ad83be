#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/plan_error.hpp"
#include "core/record/json_fwd.hpp"
#include "engines/common/run/environment.hpp"
#include "engines/common/run/options.hpp"
#include "engines/common/run/recorder.hpp"
#include "engines/common/watch/fail.hpp"

namespace beff {

/// What a program is to do; the last that is asked for.
enum class Task : std::uint8_t { kMeasure, kHelp, kShowVersion, kPlan, kProbe };

/// What all measuring programs let the user choose.
struct CommonOptions {
  Task task = Task::kMeasure;
  bool plan_as_json = false;
  std::optional<int> processes;  ///< of the plan
  std::string output;            ///< prefix of the files
  bool overwrite = false;
  StatedMemory memory;
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

/// A recorded flag that makes `value` true.
Option flag_option(const char* name, const char* help, bool& value);
/// A recorded option that takes one of `names`: calls `choose` with its index; `chosen` is empty
/// for none.
Option choice_option(const char* name, const char* help, std::vector<std::string> names,
                     const std::function<void(std::size_t)>& choose,
                     const std::function<std::optional<std::string>()>& chosen);
/// The same for values by the names that to_string() gives them; `value` may be optional.
template <class Value, class Choice>
Option choice_option(const char* name, const char* help, Value& value,
                     std::initializer_list<Choice> choices) {
  std::vector<std::string> names;
  for (const Choice choice : choices) {
    names.emplace_back(to_string(choice));
  }
  return choice_option(
      name, help, std::move(names),
      [&value, all = std::vector<Choice>(choices)](std::size_t index) { value = all.at(index); },
      [&value] {
        const std::optional<Choice> chosen = value;
        return chosen ? std::optional<std::string>(to_string(*chosen)) : std::nullopt;
      });
}

/// A recorded option whose value may be missing.
Option size_option(const char* name, const char* help, std::optional<Bytes>& value);
Option duration_option(const char* name, const char* help, std::optional<Seconds>& value);

/// --help, --version, --plan and its --processes. `plan_help` says what a plan shows.
std::vector<Option> task_options(CommonOptions& options, const char* plan_help);

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
