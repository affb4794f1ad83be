#pragma once

#include <optional>

#include "core/stop.hpp"
#include "core/units/quantity_text.hpp"

namespace beff {

/// The clock of a run, which starts when all processes have made theirs, and the wish to end it.
class RunClock {
 public:
  /// Collective.
  explicit RunClock(std::optional<Seconds> time_limit);

  [[nodiscard]] Seconds elapsed() const;
  /// What this process asks for: a signal may reach any of them, the time limit is rank 0's.
  [[nodiscard]] Stop wish_to_stop() const;

 private:
  std::optional<Seconds> time_limit_;
  Seconds begin_ = 0;
};

}  // namespace beff
