#pragma once

#include <string>
#include <vector>

#include "core/record/environment.hpp"

namespace beff {

/// Kernel of each node by the nodes' boot ids, numbered in the order of their first nodes; empty
/// where each has one of its own. A node whose boot id is not known (empty) has.
[[nodiscard]] std::vector<int> numbered_kernels(const std::vector<std::string>& boot_ids);

/// Says which hosts are containers of one kernel; empty where none are.
[[nodiscard]] std::string kernels_text(const Environment& environment);

}  // namespace beff
