#include "engines/common/run/options.hpp"

#include <fmt/format.h>
#include <getopt.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <sstream>
#include <stdexcept>

#include "core/record/json.hpp"
#include "engines/common/watch/fail.hpp"

namespace beff {
namespace {

bool argument_is_optional(const Option& option) { return option.argument.starts_with('['); }

int argument_kind(const Option& option) {
  if (option.argument.empty()) {
    return no_argument;
  }
  return argument_is_optional(option) ? optional_argument : required_argument;
}

std::vector<::option> getopt_table(const std::vector<Option>& options) {
  std::vector<::option> table;
  for (std::size_t i = 0; i < options.size(); ++i) {
    table.push_back({.name = options[i].name.c_str(),
                     .has_arg = argument_kind(options[i]),
                     .flag = nullptr,
                     .val = static_cast<int>(i)});
  }
  table.push_back({});
  return table;
}

/// The name under which a value is recorded: with its unit, as everywhere in a result.
std::string recorded_name(const Option& option) {
  auto name = option.name;
  std::ranges::replace(name, '-', '_');
  if (option.argument == "SIZE") {
    return name + "_bytes";
  }
  if (option.argument == "DURATION") {
    return name + "_s";
  }
  return option.argument == "GFLOPS" ? name + "_gflops" : name;
}

std::string written(const Option& option) {
  if (option.argument.empty()) {
    return "--" + option.name;
  }
  return "--" + option.name + (argument_is_optional(option) ? "" : " ") + option.argument;
}

}  // namespace

OptionTable::OptionTable(std::string usage, const std::vector<std::vector<Option>>& groups)
    : usage_(std::move(usage)) {
  for (const auto& group : groups) {
    options_.insert(options_.end(), group.begin(), group.end());
  }
}

void OptionTable::parse(int argc, char** argv) const {
  const auto table = getopt_table(options_);
  opterr = 0;
  optind = 1;
  for (;;) {
    const int at = optind;
    const int index = getopt_long(argc, argv, "+:", table.data(), nullptr);
    if (index == -1) {
      break;
    }
    if (index == ':') {
      throw UsageError(fmt::format("{} needs a value; --help explains it", argv[at]));
    }
    if (index == '?') {
      throw UsageError(
          fmt::format("{} is not an option of this program; --help lists them", argv[at]));
    }
    const auto& option = options_.at(static_cast<std::size_t>(index));
    const std::string value = optarg == nullptr ? "" : optarg;
    try {
      option.read(value);
    } catch (const std::invalid_argument& problem) {
      throw UsageError(fmt::format("--{} {}: {}", option.name, value, problem.what()));
    }
  }
  if (optind < argc) {
    throw UsageError(fmt::format("'{}' is not an option; --help lists them", argv[optind]));
  }
}

std::string OptionTable::help() const {
  std::size_t width = 0;
  for (const auto& option : options_) {
    width = std::max(width, written(option).size());
  }
  std::string text = usage_ + "\n\nOptions:\n";
  for (const auto& option : options_) {
    text += fmt::format("  {:<{}}  {}\n", written(option), width, option.help);
  }
  return text;
}

Json OptionTable::effective() const {
  Json values = Json::object();
  for (const auto& option : options_) {
    if (option.effective) {
      values[recorded_name(option)] = option.effective();
    }
  }
  return values;
}

std::uint64_t parse_natural(const std::string& text, std::uint64_t largest) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value > largest) {
    throw std::invalid_argument(fmt::format("must be a whole number from 0 to {}", largest));
  }
  return value;
}

int parse_count(const std::string& text) {
  constexpr std::uint64_t kLargest = 1'000'000'000;
  const auto value = parse_natural(text, kLargest);
  if (value == 0) {
    throw std::invalid_argument("must be at least 1");
  }
  return static_cast<int>(value);
}

double parse_positive(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !(value > 0) ||
      !std::isfinite(value)) {
    throw std::invalid_argument("must be a positive number");
  }
  return value;
}

Bytes parse_positive_size(const std::string& text) {
  const Bytes bytes = parse_size(text);
  if (bytes == 0) {
    throw std::invalid_argument("must be more than 0 byte, for example 512MiB");
  }
  return bytes;
}

Seconds parse_positive_duration(const std::string& text) {
  const Seconds seconds = parse_duration(text);
  if (!(seconds > 0)) {
    throw std::invalid_argument("must be more than 0 s, for example 90s or 15min");
  }
  return seconds;
}

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) {
    parts.push_back(part);
  }
  return parts;
}

std::vector<int> parse_number_list(const std::string& text, int largest) {
  std::set<int> numbers;
  const auto bound = static_cast<std::uint64_t>(largest);
  for (const auto& part : split_list(text)) {
    const auto dash = part.find('-');
    const auto first = static_cast<int>(parse_natural(part.substr(0, dash), bound));
    const auto last = dash == std::string::npos
                          ? first
                          : static_cast<int>(parse_natural(part.substr(dash + 1), bound));
    if (last < first) {
      throw std::invalid_argument(fmt::format("has the range {} that runs backwards", part));
    }
    for (int number = first; number <= last; ++number) {
      numbers.insert(number);
    }
  }
  if (numbers.empty()) {
    throw std::invalid_argument("must be a list such as 0-5,36");
  }
  return {numbers.begin(), numbers.end()};
}

}  // namespace beff
