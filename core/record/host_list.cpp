#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/record/environment.hpp"

namespace beff {
namespace {

/// A host name cut before its last number: node007.x → {"node", "007", ".x"}.
struct NumberedName {
  std::string prefix;
  std::string digits;
  std::string suffix;
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

NumberedName cut(const std::string& name) {
  constexpr std::size_t kLongestNumber = 9;
  const auto first_dot = std::min(name.find('.'), name.size());
  auto end = first_dot;
  while (end > 0 && !is_digit(name[end - 1])) {
    --end;
  }
  auto begin = end;
  while (begin > 0 && is_digit(name[begin - 1]) && end - begin < kLongestNumber) {
    --begin;
  }
  return {name.substr(0, begin), name.substr(begin, end - begin), name.substr(end)};
}

bool same_series(const NumberedName& a, const NumberedName& b) {
  return !a.digits.empty() && !b.digits.empty() && a.prefix == b.prefix && a.suffix == b.suffix &&
         a.digits.size() == b.digits.size();
}

bool follows(const NumberedName& a, const NumberedName& b) {
  return same_series(a, b) && std::stol(b.digits) == std::stol(a.digits) + 1;
}

std::string range_text(const NumberedName& first, const NumberedName& last) {
  return first.digits == last.digits ? first.digits : first.digits + "-" + last.digits;
}

}  // namespace

std::string compressed_host_list(const std::vector<Host>& hosts) {
  std::vector<NumberedName> names;
  names.reserve(hosts.size());
  for (const auto& host : hosts) {
    names.push_back(cut(host.name));
  }
  std::string text;
  for (std::size_t i = 0; i < names.size();) {
    std::size_t series_end = i + 1;
    while (series_end < names.size() && same_series(names[i], names[series_end])) {
      ++series_end;
    }
    if (!text.empty()) {
      text += ',';
    }
    if (series_end - i == 1) {
      text += hosts[i].name;
      ++i;
      continue;
    }
    std::string ranges;
    const auto& series = names[i];
    while (i < series_end) {
      std::size_t last = i;
      while (last + 1 < series_end && follows(names[last], names[last + 1])) {
        ++last;
      }
      if (!ranges.empty()) {
        ranges += ',';
      }
      ranges += range_text(names[i], names[last]);
      i = last + 1;
    }
    text += fmt::format("{}[{}]{}", series.prefix, ranges, series.suffix);
  }
  return text;
}

}  // namespace beff
