#pragma once

#include <optional>
#include <string>

#include "core/b_eff_io/plan.hpp"
#include "core/record/json_fwd.hpp"

namespace beff::b_eff_io {

/// The file system as one process saw it for a second, for estimates.
struct DiskEstimate {
  std::optional<double> write_MBps;  ///< synchronised
  std::optional<double> read_MBps;   ///< after the page cache was asked to drop it
  std::optional<Bytes> free;
};

/// `--plan`: what would be measured, how long each pattern gets, how long the run may take, and how
/// much space.
[[nodiscard]] std::string plan_text(const Plan& plan, const DiskEstimate& disk);

/// `--plan=json`: plan_fields() of the result file, with `ideal_s` of each pattern by access,
/// `space` and `expected_s`.
[[nodiscard]] Json plan_json(const Plan& plan, const DiskEstimate& disk);

}  // namespace beff::b_eff_io
