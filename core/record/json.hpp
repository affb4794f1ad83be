#pragma once

#include <nlohmann/json.hpp>
#include <optional>

namespace beff {

/// JSON that keeps the order in which fields are added, as a reader of a result expects it.
using Json = nlohmann::ordered_json;

/// The value, or null where there is none; never NaN.
template <class T>
[[nodiscard]] Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

}  // namespace beff
