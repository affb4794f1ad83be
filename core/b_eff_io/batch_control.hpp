#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/b_eff_io/machine.hpp"

namespace beff::b_eff_io {

/// Why the calls of a pattern ended.
enum class StopReason : std::uint8_t {
  kOnce,     ///< the table asks for one call
  kTime,     ///< its time is over; see TimeRule
  kCount,    ///< all calls made that were asked for
  kSpace,    ///< the file system would become too full
  kMaxData,  ///< the user's bound of written data
  kError,    ///< a call failed or moved too little
  kStopped,  ///< the run was asked to end
};

[[nodiscard]] constexpr std::string_view to_string(StopReason reason) {
  constexpr std::array<std::string_view, 7> kNames{"once",     "time",  "count",  "space",
                                                   "max-data", "error", "stopped"};
  return kNames.at(static_cast<std::size_t>(reason));
}

/// When a loop that is driven by time goes on, with r calls made in `elapsed`.
enum class TimeRule : std::uint8_t {
  kWhileShorter,  ///< while elapsed < T_p (releases 0.5 and 1; slide 19)
  kWhileOneFits,  ///< while elapsed · (r + 1) / r <= T_p: one more call of mean length fits (2.1)
};

/// What bounds the calls of one pattern.
struct BatchLimits {
  bool once = false;
  std::optional<std::int64_t> count;  ///< make exactly these calls, however long they take
  Seconds time = 0;                   ///< T_p; unused with `count`
  TimeRule rule = TimeRule::kWhileShorter;
  Bytes bytes_per_round = 0;     ///< of all processes, one call each
  Bytes reserve = 0;             ///< free space never to be touched
  Bytes allowance = kUnlimited;  ///< bytes that this pattern may write
  StopReason allowance_reason = StopReason::kSpace;
};

/// Decides, batch by batch, how many calls of a pattern to make and when to stop. The decision
/// looks at the calls made, never at the sync that follows them. Calls of a millisecond and more
/// are decided on one by one, as in the original. Shorter ones come in batches, because a reduction
/// costs as much as a small call (IPDPS paper, 5.4): a batch lasts 100 decisions, and at least 3
/// ms, because processes that call on their own wait for the slowest at each decision; at most a
/// tenth of the time, at most what is left of it, and at most twice the one before, because calls
/// may suddenly become slow and a batch, once begun, cannot be left. Calls that are counted have no
/// time to keep: their batches end only to look at space and errors.
class BatchControl {
 public:
  /// The first batch is one call. `decision_cost` is the time of one agreement of all processes.
  BatchControl(const BatchLimits& limits, Seconds decision_cost);

  /// Calls to make now; 0 after the end.
  [[nodiscard]] std::int64_t batch() const { return stopped_ ? 0 : batch_; }
  /// The batch was made and agreed on; Outcome::elapsed is since the pattern began.
  void completed(const Outcome& outcome);

  [[nodiscard]] std::optional<StopReason> stopped() const { return stopped_; }
  /// Calls made and agreed to be without an error.
  [[nodiscard]] std::int64_t calls() const { return calls_; }
  [[nodiscard]] std::int64_t decisions() const { return decisions_; }

 private:
  [[nodiscard]] std::optional<StopReason> reason_to_stop() const;
  [[nodiscard]] bool time_is_over() const;
  [[nodiscard]] std::int64_t rounds_that_fit(Bytes free) const;
  void plan_batch();
  [[nodiscard]] double calls_in_time() const;

  BatchLimits limits_;
  Seconds decision_cost_;
  Outcome known_{};
  std::int64_t batch_ = 1;
  std::int64_t calls_ = 0;
  std::int64_t decisions_ = 0;
  Seconds per_call_ = 0;  ///< the slower of the last batch's and of all
  std::optional<StopReason> stopped_;
};

/// The published releases whose value can be computed; the chosen one gives the headline.
enum class Release : std::uint8_t {
  k0_5,  ///< Euro-Par paper: all patterns by their time units
  k1,    ///< IPDPS paper: mean of types and access methods
  k2_1,  ///< geometric mean of write and read, rewrite of the scatter type only
};

inline constexpr std::array kReleases{Release::k0_5, Release::k1, Release::k2_1};

[[nodiscard]] constexpr std::size_t index_of(Release release) {
  return static_cast<std::size_t>(release);
}

[[nodiscard]] constexpr std::string_view to_string(Release release) {
  constexpr std::array<std::string_view, 3> kNames{"0.5", "1", "2.1"};
  return kNames.at(index_of(release));
}

/// When a loop of the initial write ends.
[[nodiscard]] constexpr TimeRule rule_of(Release release) {
  return release == Release::k2_1 ? TimeRule::kWhileOneFits : TimeRule::kWhileShorter;
}

}  // namespace beff::b_eff_io
