#pragma once

#include <filesystem>

#include "core/b_eff_io/plan_text.hpp"

namespace beff::b_eff_io {

/// What one process reaches in `folder` within a second, and the space that is free there; fields
/// stay empty where that cannot be told.
[[nodiscard]] DiskEstimate estimate_disk(const std::filesystem::path& folder);

}  // namespace beff::b_eff_io
