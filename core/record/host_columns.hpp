#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace beff {

/// A column of numbers, one of each host, with blanks between them; `-` where it is not known.
template <class Host, class Cell>
std::string host_column(const std::vector<Host>& of_hosts, const Cell& cell) {
  std::string text;
  for (const auto& host : of_hosts) {
    const auto number = std::optional<std::int64_t>(cell(host));
    text += text.empty() ? "" : " ";
    text += number ? fmt::format("{}", *number) : "-";
  }
  return text;
}

}  // namespace beff
