#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/b_eff/message_sizes.hpp"
#include "core/b_eff/plan.hpp"
#include "core/units/quantity_text.hpp"

namespace beff::b_eff {

/// Messages whose time is mostly latency, and messages whose time is mostly bandwidth; those
/// between them tell neither.
enum class MessageLength : std::uint8_t { kShort, kLong };
inline constexpr std::array kMessageLengths{MessageLength::kShort, MessageLength::kLong};

/// Message sizes by index, first and last one included.
struct SizeRange {
  std::string_view name;
  int first;
  int last;
};

[[nodiscard]] constexpr SizeRange size_range(MessageLength messages) {
  return messages == MessageLength::kShort
             ? SizeRange{.name = "short", .first = 0, .last = kFixedSizes - 1}
             : SizeRange{.name = "long", .first = kMessageSizes - 4, .last = kMessageSizes - 1};
}

/// A process's own times as the run goes on: the best of one iteration for each pattern and message
/// size. O(1) memory in the number of processes.
class OwnTimes {
 public:
  explicit OwnTimes(std::size_t patterns);

  /// Takes a loop of this process; `pattern` is an index into the plan's list.
  void add(std::size_t pattern, int size, Seconds one_iteration);

  /// One value per pattern, for short and for long messages in turn: the logarithmic average over
  /// the measured sizes, rounded to four digits; kNone where nothing was measured.
  [[nodiscard]] std::vector<Seconds> condensed() const;

  static constexpr Seconds kNone = 0;

 private:
  static constexpr Seconds kNever = std::numeric_limits<double>::infinity();
  std::vector<std::array<Seconds, kMessageSizes>> best_;
};

/// OwnTimes::condensed() of all processes. Empty when the run ended before they were gathered.
struct ProcessTimes {
  std::size_t patterns = 0;
  std::vector<Seconds> values;  ///< by rank, pattern and messages, the last one fastest

  /// `pattern` is an index into the plan's list.
  [[nodiscard]] std::optional<Seconds> at(std::size_t rank, std::size_t pattern,
                                          MessageLength messages) const;
  [[nodiscard]] bool known() const { return !values.empty(); }
};

}  // namespace beff::b_eff
