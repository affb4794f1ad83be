#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

namespace beff {

/// Appends a value as bytes that only unpack() of the same program on the same kind of machine
/// reads: a number, a text, a list, or a record, whose `fields` ties all that it has.
template <class Value>
void pack(std::string& bytes, const Value& value) {
  if constexpr (std::is_trivially_copyable_v<Value>) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  } else if constexpr (requires { value.size(); }) {
    pack(bytes, value.size());
    for (const auto& entry : value) {
      pack(bytes, entry);
    }
  } else {
    std::apply([&](const auto&... field) { (pack(bytes, field), ...); }, Value::fields(value));
  }
}

/// The inverse of pack(): takes the value off the begin of `bytes`.
template <class Value>
void unpack(std::string_view& bytes, Value& value) {
  if constexpr (std::is_trivially_copyable_v<Value>) {
    bytes.copy(reinterpret_cast<char*>(&value), sizeof value);
    bytes.remove_prefix(sizeof value);
  } else if constexpr (requires { value.size(); }) {
    std::size_t size = 0;
    unpack(bytes, size);
    value.resize(size);
    for (auto& entry : value) {
      unpack(bytes, entry);
    }
  } else {
    std::apply([&](auto&... field) { (unpack(bytes, field), ...); }, Value::fields(value));
  }
}

}  // namespace beff
