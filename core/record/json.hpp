#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "core/record/json_fwd.hpp"

namespace beff {

/// The value, or null where nothing was recorded.
[[nodiscard]] inline Json or_null(const RecordedJson& value) {
  return value ? *value : Json(nullptr);
}

/// The value, or null where there is none; never NaN.
template <class T>
[[nodiscard]] Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

}  // namespace beff
