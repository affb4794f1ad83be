#pragma once

#include <string>
#include <string_view>

#include "core/record/result.hpp"

namespace beff {

/// What a criterion requires, and what was found, as protocols say it.
[[nodiscard]] std::string required_text(const Criterion& criterion);
[[nodiscard]] std::string found_text(const Criterion& criterion, const Environment& environment);

[[nodiscard]] std::string sentence(const Statement& statement);

/// Lines of the protocol: the cautions, then what is not met, each behind `stamp`.
[[nodiscard]] std::string doubts_text(const ResultHead& head, std::string_view stamp);

}  // namespace beff
