#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "core/b_eff_io/batch_control.hpp"
#include "core/b_eff_io/machine.hpp"
#include "core/b_eff_io/partition.hpp"
#include "core/b_eff_io/plan.hpp"
#include "core/b_eff_io/sample.hpp"

namespace beff::b_eff_io {

/// How measuring ended.
enum class Ending : std::uint8_t {
  kDone,     ///< went through the plan
  kStopped,  ///< ended early because Outcome::stop was set
  /// A sync failed on a file that several processes share: closing it together may hang. Write the
  /// report, then abort the job.
  kAbort,
};

/// Called on the way, for a journal and a display of progress.
struct Hooks {
  std::function<void(const Sample&)> sample = [](const Sample&) {};
  std::function<void(const TypeSample&)> type = [](const TypeSample&) {};
  /// When something may have been found out about a partition.
  std::function<void(std::size_t, const PartitionNotes&)> notes = [](std::size_t,
                                                                     const PartitionNotes&) {};
  /// Before the first call of a pattern.
  std::function<void(const PatternWork&)> pattern = [](const PatternWork&) {};
};

/// Goes through a plan: write all partitions, rewrite all, read all; in each the types, in each
/// type its patterns, in each pattern batches of calls. Knows neither clock nor file but by the
/// machine. Every process runs it and decides the same, from outcomes that are the same; nothing
/// crosses from one partition to another but what meet() agrees on. A process with a `rank` outside
/// a partition only meets.
///
/// `measured` gets samples, types, partitions, complete and the counts of the data check, of the
/// partitions that `rank` belongs to: rank 0 has all. It grows on the way, so that it can be
/// reported while the machine hangs.
///
/// Time. A pattern of types 0–2 has ideal_time() in the initial write, whatever those before it
/// took; TimeRule says when its loop ends. All else has no clock: counted types make the calls that
/// follow from types 0–2, rewrite and read those of the initial write, however long they take
/// (slide 21).
///
/// Errors. A failed open or close leaves out the type in later accesses, a failed pattern that
/// pattern. What follows a failed pattern in the file goes on behind the calls that were tried.
[[nodiscard]] Ending measure(const Plan& plan, int rank, Machine& machine, Measurement& measured,
                             const Hooks& hooks = {});

/// How long a run will still take, for the reader alone: no decision depends on it. What is to be
/// written takes its ideal time; rewrite and read repeat the calls of the initial write, so they
/// take its times, times what the rewrites (or reads) so far have taken relative to theirs.
class Forecast {
 public:
  /// `plan` must outlive the forecast.
  explicit Forecast(const Plan& plan);

  /// A pattern has been measured, or left out. Each at most once.
  void note(const Sample& sample);

  /// Of all patterns that were not noted yet.
  [[nodiscard]] Seconds to_come() const;

 private:
  /// One access method, in the times of the initial write: measured ones, else ideal ones.
  struct Progress {
    Seconds left = 0;
    Seconds done = 0;
    Seconds took = 0;  ///< what this access method needed for `done`
  };

  const Plan* plan_;
  std::map<std::pair<int, int>, Seconds> write_times_;  ///< by partition and pattern
  std::array<Progress, 3> progress_{};                  ///< by index_of(Access)
};

/// What was agreed on last.
struct Latest {
  bool stop = false;
  Bytes free = kUnlimited;

  void note(const Outcome& outcome) {
    stop = stop || outcome.stop;
    free = outcome.free;
  }
};

/// The calls of one pattern.
struct PatternCalls {
  std::int64_t tried = 0;  ///< calls asked for
  std::int64_t made = 0;   ///< of them agreed to be without an error
  std::int64_t decisions = 0;
  StopReason stop = StopReason::kStopped;
  Seconds loop_time = 0;             ///< from the start of the pattern's clock
  std::optional<std::string> error;  ///< the library's text, where a call failed
};

/// What all steps of measuring share.
struct Measuring {
  const Plan& plan;
  Machine& machine;
  Measurement& measured;
  const Hooks& hooks;
  Latest latest{};
  bool aborted = false;  ///< see Ending::kAbort

  Outcome noted(Outcome outcome) {
    latest.note(outcome);
    return outcome;
  }
  [[nodiscard]] PartitionNotes& notes_of(const Block& block) const {
    return measured.partitions.at(static_cast<std::size_t>(block.partition));
  }
  void show_notes(const Block& block) const {
    hooks.notes(static_cast<std::size_t>(block.partition), notes_of(block));
  }
};

/// An access method's way through one type of a partition: opens, goes through the patterns,
/// closes.
class TypePass {
 public:
  TypePass(Measuring& measuring, const Block& block, PartitionState& partition, TypeState& state);

  void run();

 private:
  void plan_counted_once();
  void measure_patterns();
  void measure_pattern(PatternState& state);
  [[nodiscard]] SpaceBudget space_for(const PatternWork& work, const Pattern& pattern,
                                      const Room& room) const;
  [[nodiscard]] BatchLimits limits(const PatternWork& work, const PatternState& state,
                                   const SpaceBudget& space) const;
  /// Starts the pattern and makes its calls, batch by batch.
  [[nodiscard]] PatternCalls call_in_batches(const PatternWork& work, const BatchLimits& limits);
  void finish_pattern(const PatternWork& work, PatternState& state, const PatternCalls& calls);
  void note_written(const PatternWork& work, PatternState& state, const PatternCalls& calls,
                    bool ok);
  void close();

  void leave_out(Status status, const std::string& reason);
  void leave_out_pattern(int pattern, const std::string& reason);
  void record(const Sample& sample);
  void record_type();

  Measuring* measuring_;
  TypeWork work_;
  PartitionState* partition_;
  TypeState* state_;
  std::span<PatternState> patterns_;
  TypeSample sample_;
  Bytes position_ = 0;  ///< where a shared pointer stands
};

}  // namespace beff::b_eff_io
