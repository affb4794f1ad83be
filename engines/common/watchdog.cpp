#include "engines/common/watchdog.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engines/common/fail.hpp"
#include "engines/common/in_time.hpp"
#include "engines/common/simulation.hpp"

namespace beff {
namespace {

using SteadyClock = std::chrono::steady_clock;
constexpr Seconds kLongestLookAtRoll = 3;

std::string own_host() {
  std::array<char, 65> name{};
  gethostname(name.data(), name.size() - 1);
  return name.front() == '\0' ? "?" : name.data();
}

/// Ends this process without a word to MPI.
[[noreturn]] void end_process(int code) {
  constexpr Seconds kLongestFlush = 2;
  (void)in_time(kLongestFlush, [] { return std::fflush(nullptr); });
  _exit(code);
}

/// Ten ranks at most.
std::string named(const std::vector<int>& ranks, std::string_view verb) {
  constexpr std::size_t kMost = 10;
  const auto shown = std::min(ranks.size(), kMost);
  const auto end = ranks.begin() + static_cast<std::ptrdiff_t>(shown);
  const auto list = fmt::format("{}", fmt::join(ranks.begin(), end, ", "));
  const auto more = ranks.size() - shown;
  return fmt::format("{} {}{} did not {}", ranks.size() == 1 ? "rank" : "ranks", list,
                     more > 0 ? fmt::format(" and {} more", more) : "", verb);
}

/// Where the first of the ranks stand.
std::string places(const std::vector<int>& ranks, const std::vector<RollLine>& lines) {
  constexpr std::size_t kMost = 3;
  std::vector<std::string> found;
  for (const int rank : ranks) {
    const auto& line = lines.at(static_cast<std::size_t>(rank));
    if (found.size() < kMost) {
      found.push_back(fmt::format("rank {} on {} stood in {}", rank, line.host, line.place));
    }
  }
  return fmt::format("{}", fmt::join(found, ", "));
}

}  // namespace

Watchdog::Watchdog(Settings settings)
    : settings_(std::move(settings)), roll_(settings_.roll), limit_(settings_.limit) {
  state_.lock();
}

Watchdog::~Watchdog() {
  stop();
  if (!inside_) {
    state_.unlock();
  }
}

void Watchdog::start(int rank, int processes) {
  rank_ = rank;
  processes_ = processes;
  if (kSimulated) {
    return;
  }
  if (rank == 0 && !settings_.roll.empty()) {
    note(in_time(kLongestLookAtRoll, [roll = roll_] { return roll.create(); }));
  }
  said_.host = own_host();
  thread_ = std::thread([this] { watch(); });
}

void Watchdog::stop() {
  if (!thread_.joinable()) {
    return;
  }
  {
    const std::scoped_lock lock(mutex_);
    ended_ = true;
  }
  wake_.notify_all();
  thread_.join();
  remove_roll();
}

void Watchdog::remove_roll() {
  if (rank_ == 0 && has_roll()) {
    (void)in_time(kLongestLookAtRoll, [roll = roll_] {
      roll.remove();
      return true;
    });
  }
}

void Watchdog::note(std::optional<bool> used) {
  roll_problem_ = !used ? "hangs" : *used ? "" : "cannot be written";
}

bool Watchdog::sees_roll() {
  seen_ = !settings_.roll.empty() && (kSimulated || in_time(kLongestLookAtRoll, [roll = roll_] {
                                                      return roll.is_there();
                                                    }).value_or(false));
  return seen_;
}

void Watchdog::enter(std::string_view name) { begin({.name = name}, true); }

void Watchdog::wait_for_rank_0(std::string_view name) {
  enter(name);
  if (rank_ != 0) {
    arrived();
  }
}

void Watchdog::begin(const Stage& stage, bool together) {
  constexpr std::int64_t kBetweenAll = std::int64_t{1} << 32;
  const bool all = stage.processes == 0 || stage.processes == processes_;
  {
    const std::scoped_lock lock(place_);
    arrived_ = false;
    position_.stage = stage;
    position_.step = all ? (position_.step / kBetweenAll + 1) * kBetweenAll : position_.step + 1;
    position_.inside = true;
    position_.together = together;
  }
  went_on();
  if (!std::exchange(inside_, true)) {
    state_.unlock();
  }
}

void Watchdog::end() {
  state_.lock();
  inside_ = false;
  const std::scoped_lock lock(place_);
  position_.inside = false;
}

void Watchdog::describe_by(Describe describe) {
  const std::scoped_lock lock(place_);
  position_.describe = describe;
}

void Watchdog::leaves(std::string what) {
  if (inside_) {
    end();
  }
  leaves_ = std::move(what);
}

void Watchdog::report_by(Report report) {
  if (inside_) {
    end();
  }
  report_ = std::move(report);
}

Watchdog::Position Watchdog::position() const {
  const std::scoped_lock lock(place_);
  auto position = position_;
  position.arrived = position.inside && arrived_;
  return position;
}

std::string Watchdog::where(const Position& position) {
  const auto text = position.describe == nullptr ? std::string(position.stage.name)
                                                 : position.describe(position.stage);
  return position.inside ? text : "what follows " + text;
}

void Watchdog::watch() {
  constexpr std::chrono::seconds kLook{1};
  auto since = SteadyClock::now();
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, kLook, [this] { return ended_; })) {
    const auto count = count_.load(std::memory_order_acquire);
    if (std::exchange(count_before_, count) != count) {
      since = SteadyClock::now();
      looks_ = 0;
    }
    const std::chrono::duration<Seconds> stuck = SteadyClock::now() - since;
    if (rank_ == 0) {
      lead(stuck.count());
    } else {
      follow(stuck.count());
    }
  }
}

void Watchdog::lead(Seconds stuck) {
  constexpr int kLooksToAnswer = 6;  // the others look at the roll each fourth time
  if (stuck < limit()) {
    looks_ = 0;
  } else if (!has_roll() || looks_ == kLooksToAnswer) {
    give_up();
  } else if (looks_++ == 0) {
    ask();
  }
}

void Watchdog::ask() {
  ++question_;
  note(in_time(kLongestLookAtRoll,
               [roll = roll_, question = question_] { return roll.ask(question); }));
}

void Watchdog::give_up() {
  constexpr std::chrono::seconds kLongestRecord{5};
  constexpr Seconds kLongestReport = 60;
  const auto why = who_is_missing(position());
  const bool locked = state_.try_lock_for(kLongestRecord);        // else it hangs while it records
  if (count_.load(std::memory_order_acquire) != count_before_) {  // it went on at the last moment
    if (locked) {
      state_.unlock();
    }
    return;
  }
  const auto code = in_time(kLongestReport, [this, why] {
    if (report_) {
      return report_(why);
    }
    say_in_time(fmt::format("{}: {}; {}", settings_.program, why, leaves_));
    return static_cast<int>(kExitFailed);
  });
  if (!code) {
    say_in_time(fmt::format("{}: what was measured cannot be reported, as that hangs, too",
                            settings_.program));
  }
  remove_roll();
  end_process(code.value_or(kExitFailed));
}

std::string Watchdog::who_is_missing(const Position& mine) {
  auto begin = fmt::format("{} did not end within {}", where(mine), format_duration(limit()));
  missing_ = {};
  if (settings_.roll.empty()) {
    return begin;
  }
  const auto nobody = [&](std::string_view reason) {
    return fmt::format("{}: nobody can be named, as {}", begin, reason);
  };
  const auto roll = roll_.path().string();
  if (has_roll() && !names_) {
    return nobody("some processes do not see " + roll);
  }
  const int processes = mine.stage.processes == 0 ? processes_ : mine.stage.processes;
  const auto read = [file = roll_, question = question_, processes] {
    return file.answers(question, processes);
  };
  auto found = has_roll() ? in_time(kLongestLookAtRoll, read) : std::nullopt;
  if (!found) {
    return nobody(fmt::format("{} {}", roll, has_roll() ? "hangs" : roll_problem_));
  }
  found->front() = {.question = question_,
                    .step = mine.step,
                    .arrived = mine.arrived,
                    .host = said_.host,
                    .place = where(mine)};
  std::vector<int> behind;
  std::vector<int> late;
  for (int rank = 0; rank < processes; ++rank) {
    const auto& line = (*found)[static_cast<std::size_t>(rank)];
    if (line.question != question_) {
      missing_.silent.push_back(rank);
    } else if (line.step < mine.step) {
      behind.push_back(rank);
    } else if (line.step == mine.step && !line.arrived) {
      late.push_back(rank);
    }
  }
  missing_.late = behind.empty() ? late : behind;  // those that are late may wait for those behind
  if (!missing_.silent.empty()) {
    return begin + ": " + named(missing_.silent, "answer");  // the others may wait for them
  }
  const bool all_late = mine.inside && std::cmp_equal(late.size(), processes);
  if (missing_.late.empty() || all_late) {
    return begin + ": all processes are inside";
  }
  return fmt::format("{}: {}: {}", begin, named(missing_.late, "arrive"),
                     places(missing_.late, *found));
}

void Watchdog::follow(Seconds stuck) {
  constexpr int kLooksBetween = 4;
  constexpr int kLooksToGetOn = 3;
  constexpr int kLooksAfterwards = 8;
  constexpr Seconds kGrace = 30;
  if (stuck >= limit() / 2) {
    looks_left_ = kLooksAfterwards;
  } else if (looks_left_-- <= 0) {
    looks_ = looks_left_ = looks_without_roll_ = 0;
    asked_ = false;
    return;
  }
  const auto mine = position();
  if (looks_++ % kLooksBetween == 0) {
    look_at_roll(mine);
  }
  const bool changed = mine.step != said_.step || mine.arrived != said_.arrived;
  if (asked_ && changed) {
    answer(mine);
  }
  const bool gone = seen_ && looks_without_roll_ >= kLooksToGetOn && stuck >= limit();
  const bool alone = mine.together && (!seen_ || !has_roll()) && stuck >= 2 * limit() + kGrace;
  if (gone || alone) {
    end_alone(mine);
  }
}

void Watchdog::look_at_roll(const Position& mine) {
  if (!has_roll()) {
    return;
  }
  const auto asked = in_time(kLongestLookAtRoll, [roll = roll_] { return roll.question(); });
  note(asked ? std::optional(true) : std::nullopt);
  looks_without_roll_ = asked == Roll::kGone ? looks_without_roll_ + 1 : 0;
  if (asked.value_or(Roll::kNoQuestion) > said_.question) {
    asked_ = true;
    said_.question = *asked;
    answer(mine);
  }
}

void Watchdog::answer(const Position& mine) {
  said_.step = mine.step;
  said_.arrived = mine.arrived;
  said_.place = where(mine);
  note(in_time(kLongestLookAtRoll,
               [roll = roll_, rank = rank_, line = said_] { return roll.answer(rank, line); }));
}

void Watchdog::end_alone(const Position& mine) {
  if (asked_) {
    end_process(kExitNotValid);  // rank 0 has said why
  }
  say_in_time(fmt::format("{}: rank {} on {}: {} did not end within {}", settings_.program, rank_,
                          said_.host, where(mine), format_duration(limit())));
  end_process(kExitFailed);
}

}  // namespace beff
