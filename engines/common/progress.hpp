#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/units/quantity_text.hpp"

namespace beff {

enum class ProgressMode : std::uint8_t {
  kAuto,    ///< a bar on a terminal, plain lines elsewhere
  kAlways,  ///< the bar, wherever standard error goes
  kNever,
};

[[nodiscard]] constexpr std::string_view to_string(ProgressMode mode) {
  constexpr std::array<std::string_view, 3> kNames{"auto", "always", "never"};
  return kNames.at(static_cast<std::size_t>(mode));
}

/// Shows on standard error how far a run is, as a bar or as a plain line from time to time. Only
/// the rank that reports makes one; `now` is its clock in seconds.
class Progress {
 public:
  Progress(ProgressMode mode, std::int64_t total, Seconds now);

  /// `done` of the total are measured; `what` names what is measured next.
  void update(std::int64_t done, std::string_view what, Seconds now);
  /// Ends the bar's line.
  void finish() const;

 private:
  bool shown_;
  bool bar_;
  std::int64_t total_;
  Seconds started_;
  Seconds last_shown_;
};

}  // namespace beff
