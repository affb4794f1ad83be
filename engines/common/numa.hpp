#pragma once

#include <filesystem>
#include <optional>

#include "engines/common/cpu_set.hpp"

namespace beff {

/// The NUMA node that has all of these CPUs, from a tree like /sys; empty where there is none.
std::optional<int> numa_node_of(const std::filesystem::path& sys, const CpuSet& cpus);

}  // namespace beff
