#pragma once

#include <string>
#include <vector>

#include "core/pairs/plan.hpp"
#include "engines/common/run/program.hpp"

namespace beff::pairs {

struct Options : CommonOptions {
  PlanRequest request;  ///< without what planned() adds
  std::string halves;   ///< file; empty: none
};

/// Reads the command line. Throws UsageError with one sentence.
Options parse_options(int argc, char** argv);

/// The plan of these options with these resources, of which a host has at least `fewest_per_host`
/// processes; `first_half` is what the file of halves names. Throws UsageError.
[[nodiscard]] Plan planned(const Options& options, const Resources& resources, int fewest_per_host,
                           const std::vector<int>& first_half);

/// The units that a file names, one a line, of those with these names; blank lines and what follows
/// `#` do not count. Throws UsageError where it cannot be read, or names none, or another.
[[nodiscard]] std::vector<int> units_in(const std::string& file,
                                        const std::vector<std::string>& names);

/// The lines of such a file. Throws UsageError.
[[nodiscard]] std::vector<std::string> names_in(const std::string& file);

}  // namespace beff::pairs
