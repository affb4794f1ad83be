#include "core/record/validity.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

#include "core/record/json.hpp"
#include "core/units/quantity_text.hpp"

namespace beff {
namespace {

std::string_view name_of(Unit unit) {
  switch (unit) {
    case Unit::kSeconds:
      return "s";
    case Unit::kBytes:
      return "bytes";
    case Unit::kPercent:
      return "percent";
    case Unit::kCount:
      break;
  }
  return "count";
}

std::string_view name_of(NumberKind kind) {
  switch (kind) {
    case NumberKind::kExactly:
      return "exactly";
    case NumberKind::kAtLeast:
      return "at least";
    case NumberKind::kOrAtLeast:
      return "or at least";
    case NumberKind::kTold:
      break;
  }
  return "told";
}

std::string number_text(double value, Unit unit) {
  switch (unit) {
    case Unit::kSeconds:
      return format_duration(value);
    case Unit::kBytes:
      return format_size(static_cast<Bytes>(value));
    case Unit::kPercent:
      return fmt::format("{:.1f} %", value);
    case Unit::kCount:
      break;
  }
  return fmt::format("{:.0f}", value);
}

std::string with_what(std::string text, const CriterionNumber& number) {
  return number.what.empty() ? text : text + " " + number.what;
}

std::string sentence(const std::vector<std::string>& numbers, const std::string& words) {
  const std::string text = fmt::format("{}", fmt::join(numbers, ", "));
  if (text.empty() || words.empty()) {
    return text + words;
  }
  return text + " (" + words + ")";
}

Json number_json(const std::optional<double>& value, Unit unit) {
  if (!value) {
    return nullptr;
  }
  const bool whole = unit == Unit::kCount || unit == Unit::kBytes;
  return whole ? Json(static_cast<std::int64_t>(*value)) : Json(*value);
}

Json numbers_json(const std::vector<CriterionNumber>& numbers) {
  Json list = Json::array();
  for (const auto& number : numbers) {
    list.push_back({{"kind", name_of(number.kind)},
                    {"required", number_json(number.required, number.unit)},
                    {"found", number_json(number.found, number.unit)},
                    {"unit", name_of(number.unit)},
                    {"what", number.what}});
  }
  return list;
}

}  // namespace

CriterionNumber exactly(std::int64_t required, std::optional<std::int64_t> found,
                        std::string what) {
  return {NumberKind::kExactly, static_cast<double>(required), found, Unit::kCount,
          std::move(what)};
}

CriterionNumber told(std::int64_t found, std::string what, Unit unit) {
  return {NumberKind::kTold, std::nullopt, static_cast<double>(found), unit, std::move(what)};
}

std::string Criterion::required() const {
  std::vector<std::string> texts;
  for (const auto& number : numbers) {
    if (number.required) {
      const auto text = with_what(number_text(*number.required, number.unit), number);
      texts.push_back(number.kind == NumberKind::kExactly
                          ? text
                          : fmt::format("{} {}", name_of(number.kind), text));
    }
  }
  return sentence(texts, rule);
}

std::string Criterion::found() const {
  std::vector<std::string> texts;
  for (const auto& number : numbers) {
    texts.push_back(number.found ? with_what(number_text(*number.found, number.unit), number)
                    : number.what.empty() ? "not known"
                                          : number.what + ": not known");
  }
  return sentence(texts, remark);
}

Criterion build_criterion(const std::string& build_type) {
  return {.name = "build",
          .numbers = {},
          .rule = "optimised, no sanitizers",
          .remark = build_type,
          .met = build_type == "Release" || build_type == "RelWithDebInfo"};
}

Criterion machine_criterion(bool simulated) {
  return {.name = "machine",
          .numbers = {},
          .rule = "a real one, not simulated",
          .remark = simulated ? "simulated" : "real",
          .met = !simulated};
}

Json to_json(const std::vector<Criterion>& criteria) {
  Json list = Json::array();
  for (const auto& criterion : criteria) {
    list.push_back({{"name", criterion.name},
                    {"required", criterion.required()},
                    {"found", criterion.found()},
                    {"met", criterion.met},
                    {"numbers", numbers_json(criterion.numbers)}});
  }
  return list;
}

}  // namespace beff
