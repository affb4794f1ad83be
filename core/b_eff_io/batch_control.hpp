#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "core/units/quantity_text.hpp"

namespace beff::b_eff_io {

/// Why the calls of a pattern ended.
enum class StopReason : std::uint8_t {
  kOnce,     ///< the table asks for one call
  kTime,     ///< its time is over, or one more call would overrun it
  kCount,    ///< all calls made that were asked for
  kSpace,    ///< the file system would become too full
  kMaxData,  ///< the user's bound of written data
  kError,    ///< a call failed or moved too little
  kStopped,  ///< the run was told to end
};

[[nodiscard]] constexpr std::string_view to_string(StopReason reason) {
  constexpr std::array<std::string_view, 7> kNames{"once",     "time",  "count",  "space",
                                                   "max-data", "error", "stopped"};
  return kNames.at(static_cast<std::size_t>(reason));
}

/// Free space where nobody knows it.
inline constexpr Bytes kUnlimited = std::numeric_limits<Bytes>::max();

/// What bounds the calls of one pattern.
struct BatchLimits {
  bool once = false;
  std::optional<std::int64_t> count;  ///< make exactly these calls, however long they take
  Seconds time = 0;                   ///< T_p; unused with `count`
  Seconds sync_per_round = 0;         ///< what one round of calls will add to the sync
  Bytes bytes_per_round = 0;          ///< of all processes, one call each
  Bytes reserve = 0;                  ///< free space never to be touched
  Bytes allowance = kUnlimited;       ///< bytes that this pattern may write
  StopReason allowance_reason = StopReason::kSpace;
};

/// What all processes agree on after a batch, by one reduction.
struct BatchOutcome {
  Seconds elapsed;  ///< since the pattern began, slowest process
  Bytes free;       ///< free space of the file system now
  bool error;       ///< in this batch or one before it
  bool stop;        ///< the run shall end
};

/// Decides, batch by batch, how many calls of a pattern to make and when to stop. One decision is
/// taken per batch because a reduction costs as much as a small call (IPDPS paper, 5.4). A batch
/// lasts about 100 decisions, so that deciding costs 1 %, but at least 1 ms, because processes that
/// call on their own wait for the slowest at each decision; and at most a tenth of the time; it at
/// most doubles. It is not longer because calls may suddenly become slow, and a batch, once begun,
/// cannot be left: processes that stop at different calls of a collective operation wait for each
/// other for ever. Calls so cheap that 3 ms are a hundred of them get batches of 3 ms, which are
/// agreed on while the next one is made: nobody waits for a process that the system has just
/// interrupted. The sync that follows the calls is foreseen: where data first go to memory, it
/// takes many times as long as they do.
class BatchControl {
 public:
  /// The first batch is one call. `decision_cost` is the time of one agreement of all processes.
  BatchControl(const BatchLimits& limits, Seconds decision_cost);

  /// Calls to make now; 0 after the end, and where only what was deferred must be agreed on.
  [[nodiscard]] std::int64_t batch() const { return stopped_ ? 0 : batch_; }
  /// Whether to agree on the batch while the next one is made. If so, deferred() follows it, else
  /// completed().
  [[nodiscard]] bool defers() const { return !stopped_ && defers_; }
  /// The batch was made and agreed on, and with it all that was deferred before.
  void completed(const BatchOutcome& outcome);
  /// The batch was made, and is being agreed on. `before`: what was agreed on after the batch
  /// before, if that was deferred as well.
  void deferred(const std::optional<BatchOutcome>& before);

  [[nodiscard]] std::optional<StopReason> stopped() const { return stopped_; }
  /// Calls made and agreed to be without an error.
  [[nodiscard]] std::int64_t calls() const { return calls_; }
  [[nodiscard]] std::int64_t decisions() const { return decisions_; }

 private:
  void agreed_on(std::int64_t calls, const BatchOutcome& outcome);
  void note_call_time(std::int64_t calls, Seconds elapsed);
  [[nodiscard]] std::optional<StopReason> reason_to_stop() const;
  /// What is left of the time when the calls made so far are synchronised; may be negative.
  [[nodiscard]] Seconds time_left() const;
  [[nodiscard]] std::int64_t rounds_that_fit(Bytes free) const;
  void plan_batch();

  BatchLimits limits_;
  Seconds decision_cost_;
  BatchOutcome known_{};
  std::int64_t batch_ = 1;
  std::int64_t pending_ = 0;  ///< calls made that are not agreed on yet
  bool defers_ = false;
  std::int64_t calls_ = 0;
  std::int64_t decisions_ = 0;
  Seconds first_call_ = 0;
  Seconds before_ = 0;
  Seconds per_call_ = 0;
  std::optional<StopReason> stopped_;
};

}  // namespace beff::b_eff_io
