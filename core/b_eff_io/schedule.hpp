#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/b_eff_io/batch_control.hpp"
#include "core/b_eff_io/layout.hpp"
#include "core/b_eff_io/order.hpp"
#include "core/b_eff_io/plan.hpp"
#include "core/b_eff_io/sample.hpp"

namespace beff::b_eff_io {

/// How a schedule ended.
enum class Ending : std::uint8_t {
  kRunning,
  kDone,     ///< went through the plan
  kStopped,  ///< ended early because Outcome::stop was set
  /// A sync failed on a file that several processes share: closing it together may hang. There are
  /// no more orders. Write the report, then abort the job.
  kAbort,
};

/// Goes through a plan order by order: write all partitions, rewrite all, read all; in each the
/// types, in each type its patterns, in each pattern batches of calls. Pure: agreed outcomes in,
/// next order out; every process runs its own copy. The processes of different partitions decide
/// the same because nothing crosses from one partition to another but what kBegin agrees on.
///
///   while (auto order = schedule.next()) schedule.completed(execute(*order));
///
/// Time. The initial write of a partition has its block of T, from when it begins; a pattern of
/// types 0–2 gets what is left until the block's end (less the counted types' share) by its U over
/// the U still to come, its sync included, which is foreseen from the bytes and the syncs before.
/// So an overrun shortens what follows in the same partition. All else has no clock: counted types
/// make the calls that follow from types 0–2, rewrite and read those of the initial write, however
/// long they take (slide 21).
///
/// Space. Of the free space, or the user's bound of data, each pattern of the initial write may use
/// one call, and what is not needed for one call of all others by its U, times its processes. So a
/// small disk cuts all patterns, not the last ones.
///
/// Errors. A failed open or close leaves out the type in later accesses, a failed pattern that
/// pattern. What follows a failed pattern in the file goes on behind the calls that were tried.
class Schedule {
 public:
  /// `plan` must outlive the schedule. `rank` decides which partitions this copy belongs to.
  Schedule(const Plan& plan, int rank);

  /// The order to carry out now; empty at the end. Changes only by completed().
  [[nodiscard]] const std::optional<Order>& next() const { return order_; }
  /// Tells how the order of next() went.
  void completed(const Outcome& outcome);

  [[nodiscard]] Ending ending() const { return ending_; }
  /// True when every pattern of the plan was measured; meaningful on rank 0 after the end.
  [[nodiscard]] bool complete() const;

  /// What this copy has recorded; rank 0 belongs to all partitions and so has all. Samples grow by
  /// kFinish and when patterns are left out, types by kClose, so that a journal can follow them by
  /// their number.
  [[nodiscard]] const std::vector<Sample>& samples() const { return samples_; }
  [[nodiscard]] const std::vector<TypeSample>& types() const { return types_; }
  [[nodiscard]] const std::vector<PartitionNotes>& partitions() const { return notes_; }
  [[nodiscard]] std::int64_t chunks_checked() const { return checked_; }
  [[nodiscard]] std::int64_t wrong_chunks() const { return wrong_; }

 private:
  /// What rewrite and read need to know of a written pattern.
  struct Written {
    Placement placement{};
    std::int64_t calls = 0;     ///< of the initial write, without error
    std::int64_t reserved = 0;  ///< calls that the file has room for before the next pattern
    bool rewritten = false;     ///< all of them
    bool usable = false;
  };
  /// What one type of a partition keeps from access to access.
  struct TypeState {
    std::vector<Written> written;  ///< as many as the type has patterns
    bool unusable = false;
  };
  /// What syncs took, the older ones counting less. The first comes from the once-pattern, where
  /// the latency of a sync makes it too high rather than too low: so the first long pattern may be
  /// short, but never eats the time of all others.
  struct SyncCost {
    double bytes = 0;
    Seconds time = 0;

    void learn(Bytes synced, Seconds took) {
      bytes = bytes / 2 + static_cast<double>(synced);
      time = time / 2 + took;
    }
    [[nodiscard]] Seconds of(Bytes written) const {
      return bytes > 0 ? static_cast<double>(written) * time / bytes : 0;
    }
  };
  struct PartitionState {
    std::vector<TypeState> types;  ///< as many as Plan::types
    Bytes data = 0;                ///< written so far
    bool counted_planned = false;
    SyncCost sync_cost;
  };
  /// The pattern at work.
  struct Running {
    BatchControl control{{}, 0};
    bool begun = false;  ///< the first batch is done, and so `control` knows its limits
    StopReason stop_reason = StopReason::kStopped;
    std::int64_t issued = 0;   ///< calls asked for so far
    Bytes share = kUnlimited;  ///< bytes it may write
    bool share_by_max_data = false;
    Seconds loop_time = 0;
    bool failed = false;
    std::optional<std::string> error;
  };

  void begin_block();
  void next_block();
  void enter_block(const Outcome& outcome);
  void open_type();
  void next_type();
  void opened(const Outcome& outcome);
  void start_pattern();
  void next_pattern();
  void calls_done(bool deferred, const Outcome& outcome);
  void pattern_done(const Order& order, const Outcome& outcome);
  void type_done(const Outcome& outcome);

  void place_pattern();
  void plan_counted();
  [[nodiscard]] std::optional<std::string> reason_to_leave_out() const;
  [[nodiscard]] std::int64_t calls_expected() const;
  [[nodiscard]] BatchLimits limits(Seconds pattern_start) const;
  [[nodiscard]] Seconds time_of_pattern(Seconds pattern_start) const;
  void record(const Sample& sample);
  void leave_out_pattern(const std::string& reason);
  [[nodiscard]] Sample without_calls(Status status) const;
  void leave_out_type(const std::string& reason);

  struct ToWrite {
    int units = 0;       ///< ΣU, each times the processes of its partition
    Bytes smallest = 0;  ///< one call per pattern
  };
  /// What this partition, from the current pattern on, and where asked the later ones still write.
  [[nodiscard]] ToWrite to_write(bool counted_only, bool later_partitions) const;
  [[nodiscard]] Bytes room_on_disk() const;
  [[nodiscard]] Bytes room_in_bound() const;
  struct Share {
    Bytes bytes;
    bool by_max_data;
  };
  [[nodiscard]] Share share_of_room(int units, Bytes smallest, bool counted_only) const;

  [[nodiscard]] Access access() const { return kAccesses.at(access_); }
  [[nodiscard]] int processes() const { return plan_->partitions.at(partition_); }
  [[nodiscard]] Type type() const { return plan_->types.at(type_); }
  [[nodiscard]] const Pattern& pattern() const { return patterns_.at(type_).at(pattern_); }
  [[nodiscard]] PartitionState& state() { return state_.at(partition_); }
  [[nodiscard]] const PartitionState& state() const { return state_.at(partition_); }
  [[nodiscard]] TypeState& type_state() { return state().types.at(type_); }
  [[nodiscard]] const TypeState& type_state() const { return state().types.at(type_); }
  [[nodiscard]] Written& written() { return type_state().written.at(pattern_); }
  [[nodiscard]] const Written& written() const { return type_state().written.at(pattern_); }
  [[nodiscard]] Order make_order(Phase phase) const;

  const Plan* plan_;
  int rank_;
  std::vector<std::vector<Pattern>> patterns_;  ///< by index of type
  std::size_t access_ = 0;
  std::size_t partition_ = 0;
  std::size_t type_ = 0;
  std::size_t pattern_ = 0;

  std::vector<PartitionState> state_;
  Seconds block_end_ = 0;  ///< ideal end of the initial write of the partition
  Bytes free_ = kUnlimited;
  Bytes position_ = 0;  ///< where a shared pointer stands
  Running running_;
  TypeSample type_sample_{};
  bool stop_ = false;
  Ending ending_ = Ending::kRunning;

  std::optional<Order> order_;
  std::vector<Sample> samples_;
  std::vector<TypeSample> types_;
  std::vector<PartitionNotes> notes_;
  std::int64_t checked_ = 0;
  std::int64_t wrong_ = 0;
};

}  // namespace beff::b_eff_io
