#include "engines/common/watchdog.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
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
constexpr int kLine = 32;
constexpr Seconds kLongestLookAtRoll = 3;

/// Writes the line of a rank; where `afresh`, all lines before it are of what proved to be no hang.
bool write_line(const std::filesystem::path& roll, int rank, const std::string& line, bool afresh) {
  const int file = open(roll.c_str(), O_WRONLY | O_CLOEXEC | (afresh ? O_TRUNC : 0));
  if (file < 0) {
    return false;
  }
  const auto written = pwrite(file, line.data(), line.size(), static_cast<off_t>(rank) * kLine);
  close(file);
  return std::cmp_equal(written, line.size());
}

MissingRanks missing_in(const std::filesystem::path& roll, int processes) {
  MissingRanks missing;
  const int file = open(roll.c_str(), O_RDONLY | O_CLOEXEC);
  for (int rank = 0; rank < processes; ++rank) {
    std::array<char, kLine> line{};
    const bool there =
        file >= 0 && pread(file, line.data(), kLine, static_cast<off_t>(rank) * kLine) == kLine;
    if (!there || line[kLine - 1] != '\n') {
      missing.silent.push_back(rank);
    } else if (line[kLine - 2] != '1') {
      missing.late.push_back(rank);
    }
  }
  if (file >= 0) {
    close(file);
  }
  return missing;
}

/// Ten ranks at most.
std::string named(const std::vector<int>& ranks, std::string_view verb) {
  constexpr std::size_t kMost = 10;
  const auto shown = std::min(ranks.size(), kMost);
  const auto end = ranks.begin() + static_cast<std::ptrdiff_t>(shown);
  const auto list = fmt::format("{}", fmt::join(ranks.begin(), end, ", "));
  return shown < ranks.size()
             ? fmt::format("ranks {} and {} more did not {}", list, ranks.size() - shown, verb)
             : fmt::format("ranks {} did not {}", list, verb);
}

}  // namespace

Watchdog::Watchdog(Settings settings) : settings_(std::move(settings)) {
  state_.lock();
  if (kSimulated) {
    return;
  }
  if (settings_.rank == 0) {
    close(open(settings_.roll.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666));
  }
  thread_ = std::thread([this] { watch(); });
}

Watchdog::~Watchdog() {
  if (thread_.joinable()) {
    {
      const std::scoped_lock lock(mutex_);
      ended_ = true;
    }
    wake_.notify_all();
    thread_.join();
    if (settings_.rank == 0) {
      unlink(settings_.roll.c_str());
    }
  }
  state_.unlock();
}

bool Watchdog::sees_roll() const {
  return kSimulated || in_time(kLongestLookAtRoll, [roll = settings_.roll] {
                         return access(roll.c_str(), W_OK) == 0;
                       }).value_or(false);
}

void Watchdog::begin(const Stage& stage) {
  arrived_.store(false, std::memory_order_relaxed);
  stage_ = stage;
  count_.fetch_add(1, std::memory_order_release);
  state_.unlock();
}

void Watchdog::watch() {
  constexpr std::chrono::seconds kLook{1};
  std::int64_t count = 0;
  int looks_too_late = 0;
  auto since = SteadyClock::now();
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, kLook, [this] { return ended_; })) {
    const auto now = count_.load(std::memory_order_acquire);
    const std::chrono::duration<double> stuck = SteadyClock::now() - since;
    if (now != count) {
      count = now;
      since = SteadyClock::now();
      looks_too_late = 0;
    } else if (count != 0 && stuck.count() >= settings_.limit) {
      act(count, looks_too_late++);
    }
  }
}

void Watchdog::act(std::int64_t count, int look) {
  constexpr int kLooksToSign = 3;
  constexpr std::chrono::seconds kLongestRecord{5};
  const bool leads = settings_.rank == 0;
  if (!leads || look < kLooksToSign) {
    sign_the_roll(count, leads && look == 0);
  } else if (look == kLooksToSign) {
    const auto missing = who_is_missing();
    const bool locked = state_.try_lock_for(kLongestRecord);  // else it hangs while it records
    if (locked && count_.load(std::memory_order_acquire) != count) {
      state_.unlock();  // it went on at the last moment
      return;
    }
    const int code = settings_.hung(missing);
    if (!roll_hangs_) {
      unlink(settings_.roll.c_str());
    }
    std::fflush(nullptr);
    _exit(code);
  }
  if (!leads && signed_) {
    follow_rank_0();
  }
}

void Watchdog::follow_rank_0() {
  constexpr int kLooksToGetOn = 10;
  const bool gone =
      access(settings_.roll.c_str(), F_OK) != 0 && (errno == ENOENT || errno == ESTALE);
  looks_without_roll_ = gone ? looks_without_roll_ + 1 : 0;
  if (looks_without_roll_ == kLooksToGetOn) {
    _exit(kExitNotValid);
  }
}

void Watchdog::sign_the_roll(std::int64_t count, bool afresh) {
  if (roll_hangs_) {
    return;
  }
  const auto written = in_time(
      kLongestLookAtRoll, [roll = settings_.roll, rank = settings_.rank, afresh,
                           line = fmt::format("{:>{}} {}\n", count, kLine - 3, arrived_ ? 1 : 0)] {
        return write_line(roll, rank, line, afresh);
      });
  roll_hangs_ = !written;
  signed_ = written.value_or(false) || signed_;
}

std::string Watchdog::who_is_missing() {
  const auto begin = fmt::format("{} did not end within {}", settings_.describe(stage_),
                                 format_duration(settings_.limit));
  if (!names_.load(std::memory_order_relaxed)) {
    return fmt::format("{}: nobody can be named, as some processes do not see {}", begin,
                       settings_.roll.string());
  }
  const auto missing =
      roll_hangs_ ? std::nullopt
                  : in_time(kLongestLookAtRoll, [roll = settings_.roll, count = stage_.processes] {
                      return missing_in(roll, count);
                    });
  if (!missing) {
    return begin + ": nobody can be named, as " + settings_.roll.string() + " hangs";
  }
  missing_ = *missing;
  const auto& [silent, late] = missing_;
  if (!silent.empty()) {
    return begin + ": " + named(silent, "answer");  // those that are late may wait for them
  }
  return begin + (late.empty() || std::cmp_equal(late.size(), stage_.processes)
                      ? ": all processes are inside"
                      : ": " + named(late, "arrive"));
}

}  // namespace beff
