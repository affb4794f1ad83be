#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/units/quantity_text.hpp"

namespace beff {

/// What a process is doing.
struct Stage {
  std::string_view name;         ///< as the begin of a sentence
  int processes = 0;             ///< ranks 0 … processes - 1 take part
  std::array<int, 4> details{};  ///< for Watchdog::Settings::describe
};

/// The ranks that a step waits for.
struct MissingRanks {
  std::vector<int> silent;  ///< that gave no sign at all
  std::vector<int> late;    ///< that are alive and have not done their part
};

/// Bounds the wait for a step that never ends, such as a collective call that hangs. Each process
/// has one, with a thread that makes no MPI call. A process that has been with the same step for
/// `limit` notes in a file, the roll, whether it has arrived at the step's end. Rank 0 then reads
/// who has not, calls `hung` with a sentence that names them, removes the roll and ends its process
/// without a word to MPI. For a launcher that is a failure, for which it ends the others; where it
/// does not, they end themselves once the roll is gone. The roll lies beside the journal, not in
/// what is measured. Under simulation nothing is watched.
///
/// A file system that hangs may hold the roll, too: then nobody is named. Nor where some processes
/// do not see it, as in a folder of one host only: see agree_on_roll().
///
/// Between steps the process holds a lock, which the thread takes before it calls `hung`, and never
/// gives back: so nothing changes while it reports, and a process that wakes up stops.
class Watchdog {
 public:
  struct Settings {
    int rank = 0;
    Seconds limit = 0;
    std::filesystem::path roll;
    std::string (*describe)(const Stage& stage) = nullptr;  ///< where a step is, for the reader
    /// Reports, in the thread and therefore without MPI, and returns the exit code.
    std::function<int(const std::string&)> hung;
  };

  explicit Watchdog(Settings settings);
  Watchdog(const Watchdog&) = delete;
  Watchdog(Watchdog&&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;
  Watchdog& operator=(Watchdog&&) = delete;
  ~Watchdog();

  /// This process has done its part of the step, and now waits for the others.
  void arrived() { arrived_.store(true, std::memory_order_relaxed); }

  /// Whether this process sees the roll, once rank 0 has its watchdog.
  [[nodiscard]] bool sees_roll() const;
  /// From here on nobody is named: a process that gives no sign may only lack the roll.
  void name_nobody() { names_.store(false, std::memory_order_relaxed); }

  /// What a step that hangs waits for, as far as it is known; to be asked by `hung` only.
  [[nodiscard]] const MissingRanks& missing() const { return missing_; }

 private:
  friend class WatchedStage;
  void begin(const Stage& stage);
  void end() { state_.lock(); }

  void watch();
  /// At look 0, 1, 2 … after the limit.
  void act(std::int64_t count, int look);
  void follow_rank_0();
  void sign_the_roll(std::int64_t count, bool afresh);
  [[nodiscard]] std::string who_is_missing();

  Settings settings_;
  std::atomic<std::int64_t> count_{0};  ///< of steps begun
  std::atomic<bool> arrived_{true};
  std::atomic<bool> names_{true};
  Stage stage_;             ///< written before count_ rises
  std::timed_mutex state_;  ///< held between steps
  std::mutex mutex_;
  std::condition_variable wake_;
  bool ended_ = false;
  bool signed_ = false;         ///< the thread's own: the roll was there once
  bool roll_hangs_ = false;     ///< the thread's own
  int looks_without_roll_ = 0;  ///< the thread's own: how often in a row the roll was gone
  MissingRanks missing_;        ///< the thread's own
  std::thread thread_;
};

/// A step from here to the end of the scope, or to done(). What `hung` reports may change only
/// outside of one.
class WatchedStage {
 public:
  WatchedStage(Watchdog& watchdog, const Stage& stage) : watchdog_(&watchdog) {
    watchdog.begin(stage);
  }
  WatchedStage(const WatchedStage&) = delete;
  WatchedStage(WatchedStage&&) = delete;
  WatchedStage& operator=(const WatchedStage&) = delete;
  WatchedStage& operator=(WatchedStage&&) = delete;
  ~WatchedStage() { done(); }

  void done() {
    if (watchdog_ != nullptr) {
      watchdog_->end();
      watchdog_ = nullptr;
    }
  }

 private:
  Watchdog* watchdog_;
};

}  // namespace beff
