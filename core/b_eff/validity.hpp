#pragma once

#include <string>
#include <vector>

#include "core/b_eff/averages.hpp"
#include "core/b_eff/plan.hpp"
#include "core/b_eff/result.hpp"

namespace beff::b_eff {

/// The rules a result must meet to be compared; docs/reference/definitions.md explains each.
std::vector<Criterion> validity_criteria(const Plan& plan, const Environment& environment,
                                         const Measurement& measurement);

/// What a reader should know although it does not make the result invalid.
std::vector<std::string> cautions(const Plan& plan, const Environment& environment,
                                  const Measurement& measurement);

}  // namespace beff::b_eff
