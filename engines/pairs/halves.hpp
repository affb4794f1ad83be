#pragma once

#include <string>
#include <vector>

namespace beff::pairs {

/// The units that a file names, one a line, of those with these names; blank lines and what follows
/// `#` do not count. Throws UsageError where it cannot be read, or names none, or another.
[[nodiscard]] std::vector<int> units_in(const std::string& file,
                                        const std::vector<std::string>& names);

/// The lines of such a file. Throws UsageError.
[[nodiscard]] std::vector<std::string> names_in(const std::string& file);

}  // namespace beff::pairs
