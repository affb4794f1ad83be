#pragma once

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "core/b_eff_io/machine.hpp"

namespace beff::b_eff_io {

/// What a process is doing, for the reader.
struct Step {
  std::string_view name;  ///< as the begin of a sentence
  Block block{};
  Type type = Type::kScatter;
  int pattern = 0;
};

/// Bounds the wait for a step that never ends, such as a collective call that hangs. Each process
/// has one, with a thread that makes no MPI call. A process that has been with the same step for
/// `limit` notes in a file of the run whether it has arrived at the step's end. Rank 0 then reads
/// who has not, calls `hung` with a sentence that names them, removes the file and ends its process
/// without a word to MPI. For a launcher that is a failure, for which it ends the others; where it
/// does not, they end themselves once the file is gone.
class Watchdog {
 public:
  struct Settings {
    int rank = 0;
    Seconds limit = 0;
    std::filesystem::path roll;  ///< the file in which processes note themselves
    /// Reports, in the thread and therefore without MPI, and returns the exit code.
    std::function<int(const std::string&)> hung;
  };

  explicit Watchdog(Settings settings);
  Watchdog(const Watchdog&) = delete;
  Watchdog(Watchdog&&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;
  Watchdog& operator=(Watchdog&&) = delete;
  ~Watchdog();

  /// A step begins here.
  void begin(const Step& step);
  /// This process has done its part of the step, and now waits for the others.
  void arrived() { arrived_.store(true, std::memory_order_relaxed); }

 private:
  void watch();
  /// At look 0, 1, 2 … after the limit.
  void act(std::int64_t count, int look);
  void follow_rank_0();
  [[nodiscard]] bool sign_the_roll(std::int64_t count) const;
  [[nodiscard]] std::string who_is_missing() const;

  Settings settings_;
  std::atomic<std::int64_t> count_{0};  ///< of steps begun
  std::atomic<bool> arrived_{true};
  Step step_;  ///< written before count_ rises
  std::mutex mutex_;
  std::condition_variable wake_;
  bool ended_ = false;
  bool signed_ = false;         ///< the thread's own: the file was there once
  int looks_without_roll_ = 0;  ///< the thread's own: how often in a row the file was gone
  std::thread thread_;
};

}  // namespace beff::b_eff_io
