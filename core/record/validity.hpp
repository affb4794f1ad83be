#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/record/environment.hpp"
#include "core/record/json_fwd.hpp"

namespace beff {

enum class Unit : std::uint8_t { kCount, kSeconds, kBytes, kPercent };

/// One rule that a result must meet to be valid for comparison, as facts: core/record/sentences.hpp
/// makes words of them.
struct Criterion {
  std::optional<double> required{};  ///< empty where the rule knows no number
  std::optional<double> found{};     ///< empty where it is not known
  Unit unit = Unit::kCount;
  bool met = false;
  std::string_view code{};
};

/// A count that must be exactly so.
[[nodiscard]] Criterion exactly(std::int64_t required, std::optional<std::int64_t> found);

/// A row of a benchmark's table of rules; `Run` is all that is known of a run.
template <class Run>
struct Rule {
  std::string_view code;
  Criterion (*look)(const Run& run);
};

/// In the order of the table.
template <class Rules, class Run>
[[nodiscard]] std::vector<Criterion> judged_by(const Rules& rules, const Run& run) {
  std::vector<Criterion> criteria;
  for (const auto& [code, look] : rules) {
    criteria.push_back(look(run));
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
[[nodiscard]] Criterion look_at_build(const Environment& environment);
[[nodiscard]] Criterion look_at_machine(const Environment& environment);

/// The rule for buffers in the memory of devices, where they lie there: the system shows each
/// device, and the kind was confirmed on a real one.
void add_device_criterion(std::vector<Criterion>& criteria, const Environment& environment);

/// Cautions that are the same for all benchmarks: processes that share cores, hosts that share a
/// kernel.
void add_core_cautions(std::vector<Statement>& cautions, const Environment& environment);

[[nodiscard]] Json to_json(const Criterion& criterion);
[[nodiscard]] Json to_json(const Statement& statement);

}  // namespace beff
