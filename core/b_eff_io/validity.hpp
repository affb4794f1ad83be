#pragma once

#include <string>
#include <vector>

#include "core/b_eff_io/figures.hpp"
#include "core/b_eff_io/plan.hpp"
#include "core/b_eff_io/sample.hpp"
#include "core/record/environment.hpp"
#include "core/record/validity.hpp"

namespace beff::b_eff_io {

/// The rules a result must meet to be compared: docs/reference/definitions-b_eff_io.md.
[[nodiscard]] std::vector<Criterion> validity_criteria(const Plan& plan,
                                                       const Environment& environment,
                                                       const Measurement& measurement,
                                                       const Figures& figures);

/// What a reader should know although it does not make the result invalid.
[[nodiscard]] std::vector<std::string> cautions(const Plan& plan, const Environment& environment,
                                                const Measurement& measurement,
                                                const Figures& figures);

}  // namespace beff::b_eff_io
