#pragma once

#include <string>

#include "core/b_eff_io/result.hpp"

namespace beff::b_eff_io {

/// The readable protocol of a run: where it was measured, for each partition the table by position,
/// access and type with its totals and published summary lines, every pattern's sample, notes on
/// caches, hints and data checks, criteria, cautions, and last_lines().
[[nodiscard]] std::string protocol_text(const Plan& plan, const Result& result);

/// The procedure, and the value's line "b_eff_io of these measurements = …", stamped NOT VALID
/// where a criterion is not met.
[[nodiscard]] std::string last_lines(const Plan& plan, const Result& result);

/// `--plan`: what would be measured, how long each pattern gets, how long the run may take, and how
/// much space; `free` is what the folder has, where there is one.
[[nodiscard]] std::string plan_text(const Plan& plan, std::optional<Bytes> free);

/// `--plan=json`: the fields of the result file that describe the plan, partitions without figures,
/// with `definition`, `ideal_s` of each pattern by access, and `space`.
[[nodiscard]] Json plan_json(const Plan& plan, std::optional<Bytes> free);

}  // namespace beff::b_eff_io
