#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/record/environment.hpp"
#include "core/record/json_fwd.hpp"

namespace beff {

enum class Unit : std::uint8_t { kCount, kSeconds, kBytes, kPercent };

/// How what was found is compared with what is required.
enum class NumberKind : std::uint8_t {
  kExactly,
  kAtLeast,
  kOrAtLeast,  ///< enough even where the numbers before are not
  kStated,     ///< not at all: stated for the reader
};

/// A number of a criterion.
struct CriterionNumber {
  NumberKind kind;
  std::optional<double> required;  ///< empty where nothing is
  std::optional<double> found;     ///< empty where it is not known
  Unit unit = Unit::kCount;
  std::string what;  ///< of what, where the criterion's name does not say it
};

/// A count that must be exactly so.
[[nodiscard]] CriterionNumber exactly(std::int64_t required, std::optional<std::int64_t> found,
                                      std::string what);

/// A number for the reader.
[[nodiscard]] CriterionNumber stated(std::int64_t found, std::string what,
                                     Unit unit = Unit::kCount);

/// What a rule requires, and what was found.
struct Finding {
  std::vector<CriterionNumber> numbers{};
  std::string rule{};    ///< what is required beside or behind the numbers, in words
  std::string remark{};  ///< what was found beside the numbers, in words
  bool met = false;
};

/// One rule that a result must meet to be valid for comparison.
struct Criterion : Finding {
  std::string name;

  /// Sentences made from numbers and words.
  [[nodiscard]] std::string required() const;
  [[nodiscard]] std::string found() const;
};

/// A row of a benchmark's table of rules; `Run` is all that is known of a run.
template <class Run>
struct Rule {
  const char* name;
  Finding (*look)(const Run& run);
};

/// In the order of the table.
template <class Rules, class Run>
[[nodiscard]] std::vector<Criterion> judged_by(const Rules& rules, const Run& run) {
  std::vector<Criterion> criteria;
  for (const auto& [name, look] : rules) {
    criteria.push_back({look(run), name});
  }
  return criteria;
}

[[nodiscard]] inline bool all_met(const std::vector<Criterion>& criteria) {
  return std::ranges::all_of(criteria, &Criterion::met);
}

/// Lines of the protocol: the cautions, then what is not met, each behind `stamp`.
[[nodiscard]] std::string doubts_text(const std::vector<std::string>& cautions,
                                      const std::vector<Criterion>& criteria,
                                      std::string_view stamp);

/// The rules that are the same for all benchmarks: an optimised build, a real machine.
[[nodiscard]] Finding look_at_build(const Environment& environment);
[[nodiscard]] Finding look_at_machine(const Environment& environment);

/// The rule for buffers in the memory of devices, where they lie there: the system shows each
/// device, and the kind was confirmed on a real one.
void add_device_criterion(std::vector<Criterion>& criteria, const Environment& environment);

/// Cautions that are the same for all benchmarks: processes that share cores, hosts that share a
/// kernel.
void add_core_cautions(std::vector<std::string>& texts, const Environment& environment);

[[nodiscard]] Json to_json(const std::vector<Criterion>& criteria);

}  // namespace beff
