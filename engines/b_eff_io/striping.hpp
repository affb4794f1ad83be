#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "core/b_eff_io/sample.hpp"

namespace beff::b_eff_io {

/// The default striping of a folder from its attribute lustre.lov: struct lov_user_md_v1 or _v3 of
/// Lustre's lustre_user.h, or the number of components of a composite layout. Nothing where the
/// bytes are none of these.
std::optional<Striping> lustre_striping(std::span<const std::byte> attribute);

}  // namespace beff::b_eff_io
