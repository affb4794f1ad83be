#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/record/json_fwd.hpp"
#include "core/units/quantity_text.hpp"

namespace beff {

/// One command-line option: how it is written, explained, read and recorded.
struct Option {
  std::string name;      ///< without the dashes
  std::string argument;  ///< e.g. "SIZE"; empty for a flag; "[=FORM]" for an optional one
  std::string help;
  /// Takes the argument (empty for a flag). Throws std::invalid_argument whose message completes
  /// the sentence "--name VALUE ...".
  std::function<void(const std::string&)> read;
  /// The effective value for the result's `options`; null function for what is not recorded.
  std::function<Json()> effective;
};

/// The options of a program: parsed, listed by --help and recorded from one table.
class OptionTable {
 public:
  /// The groups follow each other in --help.
  OptionTable(std::string usage, const std::vector<std::vector<Option>>& groups);

  /// Reads the command line. Throws UsageError with one sentence that names option and value.
  void parse(int argc, char** argv) const;
  [[nodiscard]] std::string help() const;
  [[nodiscard]] Json effective() const;

 private:
  std::string usage_;
  std::vector<Option> options_;
};

/// A positive count. Throws std::invalid_argument.
int parse_count(const std::string& text);
/// A whole number from 0 to `largest`. Throws std::invalid_argument.
std::uint64_t parse_natural(const std::string& text, std::uint64_t largest);
/// A positive number. Throws std::invalid_argument.
double parse_positive(const std::string& text);
/// A size of at least one byte. Throws std::invalid_argument.
Bytes parse_positive_size(const std::string& text);
/// A duration above zero. Throws std::invalid_argument.
Seconds parse_positive_duration(const std::string& text);
/// Numbers and ranges such as `0-5,36`, ascending and without repeats, each from 0 to `largest`.
/// Throws std::invalid_argument.
std::vector<int> parse_number_list(const std::string& text, int largest);
/// The parts of a list separated by commas.
std::vector<std::string> split_list(const std::string& text);

}  // namespace beff
