#pragma once

#include <optional>
#include <string>

#include "core/pairs/plan.hpp"
#include "core/pairs/result.hpp"

namespace beff::pairs {

/// What will be measured. `time_limit` bounds the run.
std::string plan_text(const Plan& plan, std::optional<Seconds> time_limit);

/// Environment, the slowest units by plain medians, criteria and cautions.
std::string summary_text(const Plan& plan, const Result& result);

/// The readable protocol: the plan, with what bounds the run, the summary and the last line.
std::string protocol_text(const Plan& plan, const Result& result);

/// `b_pairs = 1234.567 MB/s each way, 1.234 us per exchange, bisection 12.345 GB/s, of 16 hosts on
/// …`.
std::string last_line(const Plan& plan, const Result& result);

}  // namespace beff::pairs
