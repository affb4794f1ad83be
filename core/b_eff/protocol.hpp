#pragma once

#include <optional>
#include <string>

#include "core/b_eff/plan.hpp"
#include "core/b_eff/result.hpp"

namespace beff::b_eff {

/// Environment, analysis tables, criteria, cautions and the value: what a reader looks at first.
std::string summary_text(const Plan& plan, const Result& result);

/// The readable protocol: the plan, with what bounds the run, the bandwidth of all loops, and the
/// summary.
std::string protocol_text(const Plan& plan, const Result& result,
                          std::optional<Seconds> time_limit);

/// The papers' last line, stamped when the result is not valid:
/// `b_eff = 9709.549 MB/s = 37.928 * 256 PEs with 128 MB/PE on …`.
std::string last_line(const Plan& plan, const Result& result);

/// What would be measured and how long that takes. `memory_source` says where the memory per
/// process comes from; `time_limit` bounds the run.
std::string plan_text(const Plan& plan, const std::string& memory_source,
                      std::optional<Seconds> time_limit);

}  // namespace beff::b_eff
