#include "core/record/validity.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <string_view>

#include "core/record/json.hpp"
#include "core/units/quantity_text.hpp"

namespace beff {
namespace {

std::string_view name_of(Unit unit) {
  constexpr std::array<std::string_view, 4> kNames{"count", "s", "bytes", "percent"};
  return kNames.at(static_cast<std::size_t>(unit));
}

std::string_view name_of(NumberKind kind) {
  constexpr std::array<std::string_view, 4> kNames{"exactly", "at least", "or at least", "stated"};
  return kNames.at(static_cast<std::size_t>(kind));
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

std::string with_what(const std::string& text, const CriterionNumber& number) {
  return number.what.empty() ? text : text + " " + number.what;
}

std::string sentence(const std::vector<std::string>& numbers, const std::string& words) {
  const std::string text = fmt::format("{}", fmt::join(numbers, ", "));
  if (text.empty() || words.empty()) {
    return text + words;
  }
  return text + " (" + words + ")";
}

/// Behind a number of cores.
std::string quota_text(const std::optional<double>& quota) {
  return quota ? fmt::format("; a cgroup allows {:.3g} CPUs of time", *quota) : "";
}

Json number_json(const std::optional<double>& value, Unit unit) {
  if (!value) {
    return nullptr;
  }
  const bool whole = unit == Unit::kCount || unit == Unit::kBytes;
  return whole ? Json(static_cast<std::int64_t>(*value)) : Json(*value);
}

Json to_json(const CriterionNumber& number) {
  return {{"kind", name_of(number.kind)},
          {"required", number_json(number.required, number.unit)},
          {"found", number_json(number.found, number.unit)},
          {"unit", name_of(number.unit)},
          {"what", number.what}};
}

Json to_json(const Criterion& criterion) {
  const auto number = [](const CriterionNumber& entry) { return to_json(entry); };
  return {{"name", criterion.name},
          {"required", criterion.required()},
          {"found", criterion.found()},
          {"met", criterion.met},
          {"numbers", json_list(criterion.numbers, number)}};
}

}  // namespace

CriterionNumber exactly(std::int64_t required, std::optional<std::int64_t> found,
                        std::string what) {
  return {NumberKind::kExactly, static_cast<double>(required), found, Unit::kCount,
          std::move(what)};
}

CriterionNumber stated(std::int64_t found, std::string what, Unit unit) {
  return {NumberKind::kStated, std::nullopt, static_cast<double>(found), unit, std::move(what)};
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

std::string doubts_text(const std::vector<std::string>& cautions,
                        const std::vector<Criterion>& criteria, std::string_view stamp) {
  std::string text;
  for (const auto& caution : cautions) {
    text += "CAUTION: " + caution + "\n";
  }
  for (const auto& criterion : criteria) {
    if (!criterion.met) {
      text += fmt::format("{}, {}: required {}, found {}\n", stamp, criterion.name,
                          criterion.required(), criterion.found());
    }
  }
  return text;
}

Finding look_at_build(const Environment& environment) {
  const auto& type = environment.build_type;
  return {.rule = "optimised, no sanitizers",
          .remark = type,
          .met = type == "Release" || type == "RelWithDebInfo"};
}

Finding look_at_machine(const Environment& environment) {
  return {.rule = "a real one, not simulated",
          .remark = environment.simulated ? "simulated" : "real",
          .met = !environment.simulated};
}

void add_device_criterion(std::vector<Criterion>& criteria, const Environment& environment) {
  if (const auto& buffers = environment.buffers) {
    const bool confirmed = row(buffers->kind).confirmed;
    const bool shown = buffers->all_on_pci_bus();
    criteria.push_back(
        {{.rule = "a kind of device that was confirmed, and devices that the system shows",
          .remark = fmt::format("{}, {}; {}", to_string(buffers->kind),
                                confirmed ? "confirmed" : "experimental",
                                shown ? "shown by the system" : "not shown by the system"),
          .met = confirmed && shown},
         "device buffers confirmed"});
  }
}

void add_core_cautions(std::vector<std::string>& texts, const Environment& environment) {
  if (environment.oversubscribed) {
    texts.push_back(fmt::format(
        "oversubscribed: some node runs more processes than it has usable cores ({}{}); waiting "
        "processes take turns on a core, so short times are those of the scheduler",
        environment.cores_per_node_min, quota_text(environment.cpu_quota)));
  } else if (const int sets = environment.binding.shared_cores; sets > 0) {
    texts.push_back(fmt::format(
        "processes share cores: more of them than cores are bound to {}; hardware threads of one "
        "core count once",
        counted(sets, "core set")));
  }
  if (auto text = kernels_text(environment.hosts, environment.kernels); !text.empty()) {
    texts.push_back(std::move(text));
  }
}

Json to_json(const std::vector<Criterion>& criteria) {
  return json_list(criteria, [](const Criterion& criterion) { return to_json(criterion); });
}

}  // namespace beff
