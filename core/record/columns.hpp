#pragma once

#include <fmt/format.h>

#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/record/json.hpp"

namespace beff {

/// CRC-32 (ISO 3309, as of zlib). It finds accidental or careless changes of stored samples, also
/// of those that no derived number depends on; it is no signature.
class Digest {
 public:
  void add(std::string_view text) {
    for (const char c : text) {
      add_byte(static_cast<unsigned char>(c));
    }
  }
  /// Integers count as 64-bit two's complement, least significant byte first.
  void add(std::integral auto value) { add_word(static_cast<std::uint64_t>(value)); }
  /// Numbers count by their IEEE 754 bits.
  void add(double value) { add_word(std::bit_cast<std::uint64_t>(value)); }

  /// Eight hexadecimal digits.
  [[nodiscard]] std::string hex() const { return fmt::format("{:08x}", ~state_); }

 private:
  static constexpr auto kOfByte = [] {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
      auto state = byte;
      for (int bit = 0; bit < 8; ++bit) {
        state = (state & 1U) != 0 ? state >> 1U ^ 0xedb88320U : state >> 1U;
      }
      table[byte] = state;
    }
    return table;
  }();

  void add_word(std::uint64_t word) {
    constexpr int kBytes = 8;
    for (int i = 0; i < kBytes; ++i) {
      add_byte(static_cast<unsigned char>(word >> (8U * static_cast<unsigned>(i))));
    }
  }
  void add_byte(unsigned char byte) { state_ = kOfByte[(state_ ^ byte) & 0xffU] ^ state_ >> 8U; }

  std::uint32_t state_ = 0xffffffffU;
};

/// A column of a table: its name, and the member or function that gives a row's cell. A tuple of
/// columns is all that journal, result and digest need to know of a row.
template <class Cell>
struct Column {
  std::string_view name;
  Cell cell;
};
template <class Cell>
Column(std::string_view, Cell) -> Column<Cell>;

/// A cell as it is recorded: enumerations by their names.
template <class Value>
auto recorded(const Value& value) {
  if constexpr (std::is_enum_v<Value>) {
    return to_string(value);
  } else {
    return value;
  }
}

template <class Value>
Json cell_json(const Value& value) {
  return Json(recorded(value));
}

template <class Value>
Json cell_json(const std::optional<Value>& value) {
  return value ? cell_json(*value) : Json(nullptr);
}

template <class Columns, class Use>
void for_each_column(const Columns& columns, const Use& use) {
  std::apply([&](const auto&... column) { (use(column), ...); }, columns);
}

/// A row as an object: a line of the journal.
template <class Row, class Columns>
Json row_json(const Row& row, const Columns& columns) {
  Json object = Json::object();
  for_each_column(columns, [&](const auto& column) {
    object[std::string(column.name)] = cell_json(std::invoke(column.cell, row));
  });
  return object;
}

/// All rows, column by column: a table of the result.
template <class Row, class Columns>
Json table_json(const std::vector<Row>& rows, const Columns& columns) {
  Json table = Json::object();
  for_each_column(columns, [&](const auto& column) {
    Json cells = Json::array();
    for (const auto& row : rows) {
      cells.push_back(cell_json(std::invoke(column.cell, row)));
    }
    table[std::string(column.name)] = std::move(cells);
  });
  return table;
}

template <class Value>
inline constexpr bool kMayBeEmpty = false;
template <class Value>
inline constexpr bool kMayBeEmpty<std::optional<Value>> = true;

/// Digest of the columns, but for those whose cells may be empty.
template <class Row, class Columns>
std::string digest_of(const std::vector<Row>& rows, const Columns& columns) {
  Digest digest;
  for_each_column(columns, [&](const auto& column) {
    using Cell =
        std::remove_cvref_t<decltype(std::invoke(column.cell, std::declval<const Row&>()))>;
    if constexpr (!kMayBeEmpty<Cell>) {
      digest.add(column.name);
      for (const auto& row : rows) {
        digest.add(recorded(std::invoke(column.cell, row)));
      }
    }
  });
  return digest.hex();
}

}  // namespace beff
