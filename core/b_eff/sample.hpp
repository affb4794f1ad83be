#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/units/quantity_text.hpp"

namespace beff::b_eff {

/// One timed loop as it is recorded. Times are of the whole loop; mean and minimum are over the
/// processes that take part in the pattern.
struct Sample {
  int pattern;     ///< pattern id
  int size;        ///< index into the message sizes
  int method;      ///< index into the plan's methods
  int repetition;  ///< from 0
  std::int64_t loop_length;
  Seconds time_max;
  Seconds time_avg;
  Seconds time_min;
  int slowest_rank;  ///< rank in MPI_COMM_WORLD that took time_max
};

/// Outcome of comparing the first and last byte of received messages.
struct MessageCheck {
  std::int64_t messages_checked = 0;
  std::int64_t wrong_messages = 0;
  std::optional<std::string> first_error{};  ///< where the first wrong message was seen

  void add(const MessageCheck& later) {
    messages_checked += later.messages_checked;
    wrong_messages += later.wrong_messages;
    first_error = first_error ? first_error : later.first_error;
  }
};

/// The same for a whole run.
struct DataCheck : MessageCheck {
  bool enabled = true;
};

/// Where the elapsed time of the measurement went, in seconds, as rank 0 saw it. What is left over
/// is barriers, reductions, waiting and interruptions.
struct Accounting {
  Seconds elapsed = 0;  ///< from before the first loop to after the last
  Seconds loops = 0;    ///< sum of time_max over all samples
  Seconds latency = 0;  ///< quick latency measurements
  Seconds warm_up = 0;
  Seconds preparation_and_checks = 0;

  [[nodiscard]] Seconds unaccounted() const {
    return elapsed - loops - latency - warm_up - preparation_and_checks;
  }
};

}  // namespace beff::b_eff
