#include "engines/common/watch/watchdog.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "engines/common/host/host.hpp"
#include "engines/common/mpi/launch.hpp"
#include "engines/common/run/files.hpp"
#include "engines/common/watch/end.hpp"

namespace beff {
namespace {

using SteadyClock = std::chrono::steady_clock;
constexpr Seconds kLongestLookAtRoll = 3;
constexpr std::chrono::seconds kLongestRecord{5};
constexpr Seconds kLongestReport = 60;
/// Between the numbers of two steps of all.
constexpr std::int64_t kBetweenAll = std::int64_t{1} << 32;

/// Ten ranks at most; with their hosts where `entries` has them.
std::string named(const std::vector<int>& ranks, const std::vector<RollEntry>& entries = {}) {
  constexpr std::size_t kMost = 10;
  std::vector<std::string> list;
  for (std::size_t i = 0; i < std::min(ranks.size(), kMost); ++i) {
    const auto rank = static_cast<std::size_t>(ranks[i]);
    list.push_back(entries.empty() ? fmt::format("{}", rank)
                                   : fmt::format("{} on {}", rank, entries.at(rank).host));
  }
  const auto more = ranks.size() - list.size();
  return fmt::format("{} {}{}", ranks.size() == 1 ? "rank" : "ranks", fmt::join(list, ", "),
                     more > 0 ? fmt::format(" and {} more", more) : "");
}

/// Where the first of the ranks stand.
std::string places(const std::vector<int>& ranks, const std::vector<RollEntry>& lines) {
  constexpr std::size_t kMost = 3;
  std::vector<std::string> positions;
  for (const int rank : ranks) {
    const auto& line = lines.at(static_cast<std::size_t>(rank));
    if (positions.size() < kMost) {
      positions.push_back(fmt::format("rank {} on {} stood in {}", rank, line.host, line.where));
    }
  }
  return fmt::format("{}", fmt::join(positions, ", "));
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

/// Where MPI_Init fails, it ends the process; a handler of that can reach nothing but a global.
static Watchdog* in_mpi_init = nullptr;

void Watchdog::sign_in(const LaunchHints& hints) {
  constexpr int kLooks = 6;
  if (kSimulated || settings_.roll.empty() || !hints.rank || hints.size.value_or(1) < 2) {
    return;
  }
  rank_ = *hints.rank;
  in_mpi_init = this;
  (void)std::atexit([] {
    if (in_mpi_init != nullptr) {
      in_mpi_init->remove_roll();
    }
  });
  if (rank_ == 0) {
    claim_in_time();
    return;
  }
  std::chrono::milliseconds pause{20};  // rank 0 starts at about the same time
  for (int looks = 0; read_head().run.empty() && has_roll() && looks < kLooks; ++looks) {
    std::this_thread::sleep_for(pause);
    pause *= 2;
  }
}

void Watchdog::start(int rank, int processes) {
  in_mpi_init = nullptr;
  rank_ = rank;
  processes_ = processes;
  if (kSimulated) {
    return;
  }
  roll_problem_ = {};
  if (!settings_.roll.empty()) {
    if (rank == 0) {
      claim_in_time();
    } else if (signed_run_.empty()) {
      (void)read_head();
    }
  }
  try {
    thread_ = std::thread([this] { watch(); });
  } catch (const std::system_error& problem) {
    abort(fmt::format("cannot make a thread ({}); raise the limit of processes",
                      problem.code().message()));
  }
}

/// Who holds the roll is said in set-up; see claim().
void Watchdog::claim_in_time() {
  (void)in_time(kLongestLookAtRoll, [roll = roll_] {
    try {
      roll.claim();
    } catch (const FileError&) {
      return false;
    }
    return true;
  });
}

RollHead Watchdog::read_head() {
  const auto head =
      in_time(kLongestLookAtRoll, [roll = roll_, rank = rank_, signed_run = signed_run_] {
        return roll.read_head(rank, signed_run);
      });
  if (!head) {
    note(std::nullopt);
    return {};
  }
  if (!head->run.empty() && head->run != signed_run_) {
    note(head->signed_in);
    signed_run_ = has_roll() ? head->run : std::string();
    last_answer_ = {};
  }
  return *head;
}

void Watchdog::belong_to(std::string run) {
  const std::scoped_lock lock(place_);
  run_ = std::move(run);
}

void Watchdog::stop() {
  if (thread_.joinable()) {
    {
      const std::scoped_lock lock(mutex_);
      ended_ = true;
    }
    wake_.notify_all();
    thread_.join();
  }
  if (rank_ == 0) {
    remove_roll();
  }
}

void Watchdog::remove_roll() {
  if (has_roll()) {
    (void)in_time(kLongestLookAtRoll, [roll = roll_, rank = rank_, run = signed_run_] {
      rank == 0 ? roll.remove() : roll.remove_of(run);
      return true;
    });
  }
}

void Watchdog::abort(const std::string& what) {
  stop();
  remove_roll();
  abort_job(what);
}

void Watchdog::note(std::optional<bool> used) {
  roll_problem_ = !used ? "hangs" : *used ? "" : "cannot be written";
}

void Watchdog::enter(std::string_view name) { begin(name, {}, 0, true); }

void Watchdog::wait_for_rank_0(std::string_view name) {
  enter(name);
  if (rank_ != 0) {
    note_arrival();
  }
}

void Watchdog::begin(std::string_view name, const Where& where, int processes, bool together) {
  const bool all = processes == 0 || processes == processes_;
  {
    const std::scoped_lock lock(place_);
    arrived_ = false;
    position_.name = name;
    position_.where = where;
    position_.processes = processes;
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

void Watchdog::on_hang(std::string leaves, Report report) {
  if (inside_) {
    end();
  }
  leaves_ = std::move(leaves);
  report_ = std::move(report);
}

Watchdog::Position Watchdog::position() const {
  const std::scoped_lock lock(place_);
  auto position = position_;
  position.arrived = position.inside && arrived_;
  return position;
}

std::string Watchdog::text_of(const Position& position) {
  const auto where = position.where.text();
  return fmt::format("{}{}{}", position.inside ? "" : "what follows ", position.name,
                     where.empty() ? where : fmt::format(" ({})", where));
}

bool Watchdog::has_signed_in_elsewhere() {
  const std::scoped_lock lock(place_);
  const auto run = std::exchange(run_, {});
  return rank_ != 0 && has_roll() && !run.empty() && run != signed_run_;
}

void Watchdog::watch() {
  constexpr std::chrono::seconds kLook{1};
  auto since = SteadyClock::now();
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, kLook, [this] { return ended_; })) {
    const auto count = count_.load(std::memory_order_acquire);
    if (std::exchange(count_before_, count) != count) {
      since = SteadyClock::now();
      looks_ = silent_ = 0;
    }
    if (has_signed_in_elsewhere()) {
      (void)read_head();
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
  give_sign();
  if (stuck < limit()) {
    looks_ = 0;
  } else if (!has_roll() || (looks_ >= kLooksToAnswer && !more_answer())) {
    give_up();
  } else if (looks_++ == 0) {
    ask();
  }
}

void Watchdog::give_sign() {
  constexpr int kSignsInLimit = 8;
  if (settings_.roll.empty() || ++since_sign_ < limit() / kSignsInLimit ||
      gives_sign_->exchange(true)) {
    return;
  }
  since_sign_ = 0;
  (void)in_time(0, [roll = roll_, sign = ++sign_, gives_sign = gives_sign_] {
    const bool given = roll.give_sign(sign);
    *gives_sign = false;
    return given;
  });
}

void Watchdog::ask() {
  ++question_;
  answers_ = 0;
  note(in_time(kLongestLookAtRoll,
               [roll = roll_, question = question_] { return roll.ask(question); }));
}

bool Watchdog::more_answer() {
  const auto entries = read_roll(processes_);
  const auto answers = std::ranges::count(entries, question_, &RollEntry::question);
  return std::exchange(answers_, answers) < answers && answers < processes_ - 1;
}

std::vector<RollEntry> Watchdog::read_roll(int processes) {
  const auto entries = in_time(kLongestLookAtRoll, [roll = roll_, question = question_, processes] {
    return roll.read(question, processes);
  });
  note(entries ? std::optional(!entries->empty()) : std::nullopt);
  return entries.value_or(std::vector<RollEntry>());
}

void Watchdog::give_up() {
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

std::string Watchdog::did_not_end(const Position& mine) const {
  return fmt::format("{} did not end within {}", text_of(mine), format_duration(limit()));
}

std::string Watchdog::who_is_missing(const Position& mine) {
  auto begin = did_not_end(mine);
  missing_ = {};
  if (settings_.roll.empty()) {
    return begin;
  }
  const auto nobody = [&](std::string_view reason) {
    return fmt::format("{}: nobody can be named, as {}", begin, reason);
  };
  const auto roll = roll_.path().string();
  const int processes = mine.processes == 0 ? processes_ : mine.processes;
  auto entries = has_roll() ? read_roll(processes) : std::vector<RollEntry>();
  if (entries.empty()) {
    return nobody(fmt::format("{} {}", roll, roll_problem_));
  }
  static_cast<RollLine&>(entries.front()) = {
      .question = question_, .step = mine.step, .arrived = mine.arrived, .where = text_of(mine)};
  entries.front().host = own_host();
  std::vector<int> unseen;
  std::vector<int> behind;
  std::vector<int> late;
  for (int rank = 0; rank < processes; ++rank) {
    const auto& entry = entries[static_cast<std::size_t>(rank)];
    if (entry.host.empty()) {
      unseen.push_back(rank);
    } else if (entry.question != question_) {
      missing_.silent.push_back(rank);
    } else if (entry.step < mine.step) {
      behind.push_back(rank);
    } else if (entry.step == mine.step && !entry.arrived) {
      late.push_back(rank);
    }
  }
  // the others may wait for them
  if (!missing_.silent.empty()) {
    return fmt::format("{}: {} did not answer", begin, named(missing_.silent, entries));
  }
  if (!unseen.empty()) {
    const bool first = mine.step == kBetweenAll;
    return first ? fmt::format("{}: {} did not come as far, or cannot see {}", begin, named(unseen),
                               roll)
                 : nobody(fmt::format("{} cannot see {}", named(unseen), roll));
  }
  missing_.late = behind.empty() ? late : behind;  // those that are late may wait for those behind
  const bool all_late = mine.inside && std::cmp_equal(late.size(), processes);
  if (missing_.late.empty() || all_late) {
    return begin + ": all processes are inside";
  }
  return fmt::format("{}: {} did not arrive: {}", begin, named(missing_.late),
                     places(missing_.late, entries));
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
    questioned_ = false;
    return;
  }
  const auto mine = position();
  if ((looks_++ % kLooksBetween == 0 || silent_ >= patience()) && has_roll()) {
    const auto head = read_head();
    looks_without_roll_ = head.question == Roll::kGone ? looks_without_roll_ + 1 : 0;
    if (head.question > last_answer_.question) {
      questioned_ = true;
      last_answer_.question = head.question;
      answer(mine);
    }
    check_sign(head, mine);
  }
  ++silent_;
  const bool changed = mine.step != last_answer_.step || mine.arrived != last_answer_.arrived;
  if (questioned_ && changed) {
    answer(mine);
  }
  const bool gone =
      !signed_run_.empty() && looks_without_roll_ >= kLooksToGetOn && stuck >= limit();
  const bool alone =
      mine.together && (signed_run_.empty() || !has_roll()) && stuck >= 2 * limit() + kGrace;
  if (gone || alone) {
    end_alone(mine);
  }
}

double Watchdog::patience() const {
  constexpr double kLeast = 5;
  constexpr double kShare = 0.75;  // so that all is said before `beff run` gives up
  // rank 0 asks before it gives up, and gives no sign while it reports
  constexpr double kLongestEnd = kLongestReport + 5 * kLongestLookAtRoll;
  return std::max(kLeast, kShare * limit()) + (questioned_ ? kLongestEnd : 0);
}

void Watchdog::check_sign(const RollHead& head, const Position& mine) {
  constexpr int kLooksToAgree = 3;  // on who speaks
  constexpr int kLooksToSpeak = 20;
  if (head.run.empty() || std::exchange(sign_, head.sign) != head.sign) {
    silent_ = 0;
  }
  const double over = silent_ - patience();
  if (over < 0) {
    return;
  }
  if (head.speaker == 0 || head.speaker > rank_) {
    note(in_time(kLongestLookAtRoll, [roll = roll_, rank = rank_, run = signed_run_] {
      return roll.name_speaker(rank, run);
    }));
  } else if (head.speaker == rank_ && over >= kLooksToAgree) {
    say_rank_0_is_silent(head, mine);
  } else if (over >= kLooksToSpeak) {
    end_process(kExitFailed);  // the speaker has said why
  }
}

void Watchdog::say_rank_0_is_silent(const RollHead& head, const Position& mine) {
  const std::unique_lock locked(state_, kLongestRecord);  // else it hangs between two steps
  if (count_.load(std::memory_order_acquire) != count_before_) {
    return;  // it went on at the last moment
  }
  say_in_time(fmt::format("{}: {}: rank 0 on {} did not answer; {}", settings_.program,
                          did_not_end(mine), head.host, leaves_));
  end_process(kExitFailed);
}

void Watchdog::answer(const Position& mine) {
  last_answer_.step = mine.step;
  last_answer_.arrived = mine.arrived;
  last_answer_.where = text_of(mine);
  note(in_time(kLongestLookAtRoll, [roll = roll_, rank = rank_, run = signed_run_,
                                    line = last_answer_] { return roll.answer(rank, run, line); }));
}

void Watchdog::end_alone(const Position& mine) {
  if (questioned_) {
    end_process(kExitNotValid);  // rank 0 has said why
  }
  say_in_time(fmt::format("{}: {}: {}", settings_.program, who(rank_), did_not_end(mine)));
  end_process(kExitFailed);
}

}  // namespace beff
