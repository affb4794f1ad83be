#pragma once

#include "core/b_eff_io/plan.hpp"
#include "core/b_eff_io/types.hpp"
#include "engines/b_eff_io/call_loop.hpp"

namespace beff::b_eff_io {

/// How a pattern type uses MPI. Type 1 through individual pointers has the view of type 0, and one
/// chunk per call.
[[nodiscard]] const TypeMethod& method_of(Type type, Pointer pointer);

}  // namespace beff::b_eff_io
