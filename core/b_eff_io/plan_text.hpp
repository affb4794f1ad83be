#pragma once

#include <optional>
#include <string>

#include "core/b_eff_io/plan.hpp"
#include "core/record/json_fwd.hpp"

namespace beff::b_eff_io {

/// `--plan`: what would be measured, how long each pattern gets, how long the run may take, and how
/// much space; `free` is what the folder has, where there is one.
[[nodiscard]] std::string plan_text(const Plan& plan, std::optional<Bytes> free);

/// `--plan=json`: plan_fields() of the result file, with `ideal_s` of each pattern by access and
/// `space`.
[[nodiscard]] Json plan_json(const Plan& plan, std::optional<Bytes> free);

}  // namespace beff::b_eff_io
