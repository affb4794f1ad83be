#pragma once

#include "core/b_eff_io/plan.hpp"
#include "core/b_eff_io/types.hpp"
#include "engines/b_eff_io/transfer.hpp"

namespace beff::b_eff_io {

extern const TypeMethod kScatterMethod;
extern const TypeMethod kSharedMethod;
extern const TypeMethod kSeparateMethod;
extern const TypeMethod kSegmentedMethod;
extern const TypeMethod kSegCollMethod;
extern const TypeMethod kRandomMethod;

/// Type 1 through individual pointers has the view of type 0, and one chunk per call.
[[nodiscard]] inline const TypeMethod& method_of(Type type, Pointer pointer) {
  switch (type) {
    case Type::kScatter:
      return kScatterMethod;
    case Type::kShared:
      return pointer == Pointer::kShared ? kSharedMethod : kScatterMethod;
    case Type::kSeparate:
      return kSeparateMethod;
    case Type::kSegmented:
      return kSegmentedMethod;
    case Type::kSegColl:
      return kSegCollMethod;
    case Type::kRandomShared:
    case Type::kRandomSeparate:
      break;
  }
  return kRandomMethod;
}

}  // namespace beff::b_eff_io
