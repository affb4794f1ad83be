#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

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

/// JSON as text, in one line or indented; what is no UTF-8 in it is replaced by U+FFFD.
[[nodiscard]] inline std::string json_text(const Json& json, int indent = -1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

/// What `make`, a function or a member, gives for each entry.
template <class Range, class Make>
[[nodiscard]] Json json_list(const Range& range, Make&& make) {
  Json list = Json::array();
  for (const auto& entry : range) {
    list.push_back(Json(std::invoke(make, entry)));
  }
  return list;
}

}  // namespace beff
