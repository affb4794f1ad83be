#pragma once

#include <array>
#include <atomic>
#include <concepts>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <vector>

#include "core/units/quantity_text.hpp"
#include "engines/common/mpi/launch.hpp"
#include "engines/common/watch/roll.hpp"

namespace beff {

/// Where in its work a step is: a small value of any type with a function text_of(), which is
/// called only where the step hangs. So a step costs no text.
class Where {
  using Value = std::array<int, 6>;

 public:
  Where() = default;
  template <class Stored>
    requires(std::is_trivially_copyable_v<Stored> && sizeof(Stored) <= sizeof(Value) &&
             std::is_default_constructible_v<Stored> && !std::same_as<Stored, Where>)
  Where(const Stored& stored)
      : text_([](const Value& value) {
          Stored copy;
          std::memcpy(static_cast<void*>(&copy), value.data(), sizeof copy);
          return text_of(copy);
        }) {
    std::memcpy(value_.data(), &stored, sizeof stored);
  }

  /// Empty of nowhere.
  [[nodiscard]] std::string text() const { return text_ == nullptr ? "" : text_(value_); }

 private:
  Value value_{};
  std::string (*text_)(const Value&) = nullptr;
};

class Step;

/// The ranks that a step waits for.
struct MissingRanks {
  std::vector<int> silent;  ///< that gave no sign at all
  std::vector<int> late;    ///< that are alive and have not done their part
};

/// Bounds the wait for a step that never ends, such as a collective call that hangs: from MPI_Init
/// until after MPI_Finalize. Each process has one, with a thread that makes no MPI call. When rank
/// 0 has been with the same step for the limit, it asks the others by a file, the Roll, where they
/// stand. A process looks at the roll when it has been with a step for half the limit, and some
/// seconds longer; it writes only if asked, and again when it has gone on since. Rank 0
/// then says who has not arrived, reports, removes the roll and ends its process without a word to
/// MPI. For a launcher that is a failure, for which it ends the others; where it does not, they end
/// themselves once the roll is gone. The roll lies beside the journal, not in what is measured.
/// Under simulation nothing is watched.
///
/// Rank 0 itself may be stopped for good. As long as it is not, its thread gives a sign of life on
/// the roll, eight times in the limit. Who has been with a step for half the limit looks for these,
/// and counts its own looks without a new one, so that a job that was suspended as a whole goes on.
/// After three quarters of the limit rank 0 is given up: the lowest rank that sees it says so, and
/// all end. The roll stays, as rank 0 may wake up and holds the output as long as it lives.
///
/// A file system that hangs may hold the roll, too: then nobody is named. Nor is who has not signed
/// in there: the roll may be in a folder that one host alone sees.
///
/// Between steps the process holds a lock, which the thread takes before it reports, and never
/// gives back: so nothing changes while it reports, and a process that wakes up stops.
///
/// Steps have numbers that are comparable between processes: those of all processes are numbered
/// alike, and so are those of a partition between two of all.
class Watchdog {
 public:
  struct Settings {
    const char* program;
    Seconds limit = 0;
    std::filesystem::path roll;  ///< empty: nobody is asked
  };
  /// Reports a hang, in a thread and therefore without MPI, and returns the exit code.
  using Report = std::function<int(const std::string& why)>;

  explicit Watchdog(Settings settings);
  Watchdog(const Watchdog&) = delete;
  Watchdog(Watchdog&&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;
  Watchdog& operator=(Watchdog&&) = delete;
  ~Watchdog();

  /// Before MPI_Init, where the launcher says which rank this is: rank 0 claims the roll, and the
  /// others sign in as soon as they see it, so that who never comes back from MPI_Init can be
  /// named. The roll is removed where MPI_Init ends the process.
  void sign_in(const LaunchHints& hints);
  /// Right after MPI_Init. Aborts the job where the thread cannot be made.
  void start(int rank, int processes);
  /// Claims the roll, and so the run's output, on rank 0. Throws FileError where it is taken.
  void claim() { roll_.claim(); }
  /// The run that has the roll, on rank 0; empty where none has.
  [[nodiscard]] std::string run() const { return roll_.run(); }
  /// Hears that of rank 0: who has signed in elsewhere does so again.
  void belong_to(std::string run);
  /// Nothing is watched any more, and the roll is removed.
  void stop();
  /// See abort_job(); the roll is removed before, since rank 0 may not live to do it.
  [[noreturn]] void abort(const std::string& what);
  void set_limit(Seconds limit) { limit_.store(limit, std::memory_order_relaxed); }

  /// A step from here to the end of the scope of what is returned. `name` is a literal, as the
  /// begin of a sentence; ranks 0 … processes - 1 take part, or all where it is 0.
  [[nodiscard]] Step step(std::string_view name, const Where& where = {}, int processes = 0);
  /// A step of all processes that lasts until the next begins. All need about as long for it, so
  /// who is left alone in it, without a sign of rank 0, ends.
  void enter(std::string_view name);
  /// A step in which the others only wait for rank 0.
  void wait_for_rank_0(std::string_view name);
  /// This process has done its part of the step, and now waits for the others.
  void note_arrival() { arrived_.store(true, std::memory_order_relaxed); }
  /// The step has not ended, but does not hang: its time begins anew.
  void went_on() { count_.fetch_add(1, std::memory_order_release); }

  /// What a hang leaves from here on, as the end of the sentence that rank 0 says of it; its exit
  /// code is then 1. Where there is a `report`, that says it instead.
  void on_hang(std::string leaves, Report report = {});

  /// What a step that hangs waits for, as far as it is known; for a Report only.
  [[nodiscard]] const MissingRanks& missing() const { return missing_; }

 private:
  friend class Step;

  struct Position {
    std::string_view name;
    Where where;
    int processes = 0;
    std::int64_t step = 0;
    bool inside = false;    ///< else between this step and the next
    bool together = false;  ///< see enter()
    bool arrived = false;
  };

  void begin(std::string_view name, const Where& where, int processes, bool together);
  void end();
  [[nodiscard]] Position position() const;
  [[nodiscard]] Seconds limit() const { return limit_.load(std::memory_order_relaxed); }
  [[nodiscard]] static std::string text_of(const Position& position);

  // All that follows is for the thread, and before it starts.
  void watch();
  /// Whether belong_to() named another run: it has signed in on the roll of one that was killed.
  [[nodiscard]] bool has_signed_in_elsewhere();
  [[nodiscard]] bool has_roll() const { return !settings_.roll.empty() && roll_problem_.empty(); }
  /// Whether the roll could be used; empty where it hangs.
  void note(std::optional<bool> used);
  void claim_in_time();
  /// Reads the head of the roll, and signs in there.
  RollHead read_head();
  /// Empty where it cannot be read.
  [[nodiscard]] std::vector<RollEntry> read_roll(int processes);
  void remove_roll();
  void lead(Seconds stuck);
  /// Now and then, and waits for nothing.
  void give_sign();
  void ask();
  [[nodiscard]] bool more_answer();
  void give_up();
  [[nodiscard]] std::string who_is_missing(const Position& mine);
  [[nodiscard]] std::string did_not_end(const Position& mine) const;
  void follow(Seconds stuck);
  /// How many looks rank 0 may give no sign; a second lies between two.
  [[nodiscard]] double patience() const;
  void check_sign(const RollHead& head, const Position& mine);
  void say_rank_0_is_silent(const RollHead& head, const Position& mine);
  void answer(const Position& mine);
  [[noreturn]] void end_alone(const Position& mine);

  Settings settings_;
  Roll roll_;
  int rank_ = 0;
  int processes_ = 1;
  bool inside_ = false;                 ///< the process's own
  std::atomic<Seconds> limit_;          ///< of a step
  std::atomic<std::int64_t> count_{0};  ///< of steps begun and signs that one goes on
  std::atomic<bool> arrived_{false};
  mutable std::mutex place_;  ///< of position_ and run_
  Position position_;
  std::string run_;         ///< see belong_to(), until the thread has looked at it
  std::timed_mutex state_;  ///< held between steps; also of report_ and leaves_
  Report report_;
  std::string leaves_ = "nothing was measured";
  std::mutex mutex_;  ///< of ended_
  std::condition_variable wake_;
  bool ended_ = false;

  // The thread's own.
  std::int64_t count_before_ = 0;
  int looks_ = 0;  ///< at a step that lasts too long
  std::string_view roll_problem_;
  std::int64_t question_ = 0;   ///< the last that rank 0 asked
  std::ptrdiff_t answers_ = 0;  ///< so far
  std::int64_t sign_ = 0;       ///< of life, that rank 0 gave or another has seen last
  int since_sign_ = 0;          ///< looks of rank 0
  std::shared_ptr<std::atomic<bool>> gives_sign_ = std::make_shared<std::atomic<bool>>(false);
  int silent_ = 0;           ///< looks at rank 0 without a new sign, at a step that lasts too long
  std::string signed_run_;   ///< the run in whose roll this process has signed in
  RollLine last_answer_;     ///< its last answer there
  int looks_left_ = 0;       ///< at the roll, after a step that lasted long
  bool questioned_ = false;  ///< since that step began
  int looks_without_roll_ = 0;
  MissingRanks missing_;
  std::thread thread_;
};

/// A step from here to the end of the scope, or to done(). What is reported of a hang may change
/// only outside of one.
class Step {
 public:
  Step(const Step&) = delete;
  Step(Step&&) = delete;
  Step& operator=(const Step&) = delete;
  Step& operator=(Step&&) = delete;
  ~Step() { done(); }

  void done() {
    if (watchdog_ != nullptr) {
      watchdog_->end();
      watchdog_ = nullptr;
    }
  }

 private:
  friend class Watchdog;
  explicit Step(Watchdog& watchdog) : watchdog_(&watchdog) {}

  Watchdog* watchdog_;
};

inline Step Watchdog::step(std::string_view name, const Where& where, int processes) {
  begin(name, where, processes, false);
  return Step(*this);
}

}  // namespace beff
