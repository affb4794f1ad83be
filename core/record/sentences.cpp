#include "core/record/result.hpp"

#include <fmt/args.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

namespace beff {
namespace {

struct CriterionWords {
  std::string_view code;
  std::string_view required;
  std::string_view found;
};

struct StatementWords {
  std::string_view code;
  std::string_view sentence;
};

#include "sentences.inc"  // of python/beff/show/parts/sentences.json, made by cmake/Sentences.cmake

/// Throws std::out_of_range for a code without words.
template <class Rows>
const auto& row_of(const Rows& rows, std::string_view code) {
  const auto row = std::ranges::find(rows, code, &Rows::value_type::code);
  return row != rows.end() ? *row : throw std::out_of_range(std::string(code));
}

using Arguments = fmt::dynamic_format_arg_store<fmt::format_context>;

std::string number_text(const std::optional<double>& value, Unit unit) {
  if (!value) {
    return "not known";
  }
  switch (unit) {
    case Unit::kSeconds:
      return format_duration(*value);
    case Unit::kBytes:
      return format_size(static_cast<Bytes>(*value));
    case Unit::kPercent:
      return fmt::format("{:.3g} %", *value);
    case Unit::kCount:
      break;
  }
  return fmt::format("{:.0f}", *value);
}

/// By the unit at the end of its name.
struct FactText {
  std::string_view name;

  std::string operator()(double number) const {
    return name.ends_with("_s")         ? format_duration(number)
           : name.ends_with("_percent") ? fmt::format("{:.3g} %", number)
                                        : fmt::format("{:.3g}", number);
  }
  std::string operator()(std::int64_t number) const {
    return name.ends_with("_bytes") ? format_size(number) : fmt::format("{}", number);
  }
  std::string operator()(const std::string& text) const { return text; }
  std::string operator()(const std::vector<std::int64_t>& numbers) const {
    return fmt::format("{}", fmt::join(numbers, ", "));
  }
};

/// What counts as read from the file system, by what the criterion counts.
std::string_view origin_of(const Criterion& criterion) {
  return criterion.unit == Unit::kBytes ? "moved in each access method"
                                        : "read from beyond the page caches";
}

}  // namespace

std::string required_text(const Criterion& criterion) {
  return fmt::format(fmt::runtime(row_of(kCriteria, criterion.code).required),
                     fmt::arg("required", number_text(criterion.required, criterion.unit)),
                     fmt::arg("origin", origin_of(criterion)));
}

std::string found_text(const Criterion& criterion, const Environment& environment) {
  return fmt::format(fmt::runtime(row_of(kCriteria, criterion.code).found),
                     fmt::arg("found", number_text(criterion.found, criterion.unit)),
                     fmt::arg("origin", origin_of(criterion)), fmt::arg("of", criterion.of),
                     fmt::arg("build", environment.build_type),
                     fmt::arg("machine", environment.simulated ? "simulated" : "real"),
                     fmt::arg("use", criterion.met ? "used" : "not used"),
                     fmt::arg("met", criterion.met ? "yes" : "no"));
}

std::string sentence(const Statement& statement) {
  Arguments facts;
  for (const auto& [name, fact] : statement.facts) {
    facts.push_back(fmt::arg(std::string(name).c_str(), std::visit(FactText{name}, fact)));
  }
  return fmt::vformat(row_of(kStatements, statement.code).sentence, facts);
}

std::string doubts_text(const ResultHead& head, std::string_view stamp) {
  std::string text;
  for (const auto& caution : head.cautions) {
    text += fmt::format("CAUTION: {}\n", sentence(caution));
  }
  for (const auto& criterion : head.criteria) {
    if (!criterion.met) {
      text += fmt::format("{}, {}: required {}, found {}\n", stamp, criterion.code,
                          required_text(criterion), found_text(criterion, head.environment));
    }
  }
  return text;
}

}  // namespace beff
