#include "engines/b_eff_io/watchdog.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <utility>
#include <vector>

#include "engines/common/fail.hpp"

namespace beff::b_eff_io {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int kLine = 32;

}  // namespace

Watchdog::Watchdog(Settings settings) : settings_(std::move(settings)) {
  if (settings_.rank == 0) {
    close(open(settings_.roll.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666));
  }
  thread_ = std::thread([this] { watch(); });
}

Watchdog::~Watchdog() {
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

void Watchdog::begin(const Step& step) {
  arrived_.store(false, std::memory_order_relaxed);
  step_ = step;
  count_.fetch_add(1, std::memory_order_release);
}

void Watchdog::watch() {
  constexpr std::chrono::seconds kLook{1};
  std::int64_t count = 0;
  int looks_too_late = 0;
  auto since = Clock::now();
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, kLook, [this] { return ended_; })) {
    const auto now = count_.load(std::memory_order_acquire);
    const std::chrono::duration<double> stuck = Clock::now() - since;
    if (now != count) {
      count = now;
      since = Clock::now();
      looks_too_late = 0;
    } else if (count != 0 && stuck.count() >= settings_.limit) {
      act(count, looks_too_late++);
    }
  }
}

void Watchdog::act(std::int64_t count, int look) {
  constexpr int kLooksToSign = 3;
  if (look == 0) {
    signed_ = sign_the_roll(count) || signed_;
    looks_without_roll_ = 0;
  } else if (settings_.rank == 0 && look == kLooksToSign) {
    const int code = settings_.hung(who_is_missing());
    unlink(settings_.roll.c_str());
    std::fflush(nullptr);
    _exit(code);
  } else if (settings_.rank != 0 && signed_) {
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

bool Watchdog::sign_the_roll(std::int64_t count) const {
  const int file = open(settings_.roll.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) {
    return false;
  }
  const auto line = fmt::format("{:>{}} {}\n", count, kLine - 3, arrived_ ? 1 : 0);
  const auto written =
      pwrite(file, line.data(), line.size(), static_cast<off_t>(settings_.rank) * kLine);
  close(file);
  return std::cmp_equal(written, line.size());
}

std::string Watchdog::who_is_missing() const {
  std::vector<int> missing;
  const int file = open(settings_.roll.c_str(), O_RDONLY | O_CLOEXEC);
  for (int rank = 0; rank < step_.block.processes; ++rank) {
    std::array<char, kLine> line{};
    const bool there =
        file >= 0 && pread(file, line.data(), kLine, static_cast<off_t>(rank) * kLine) == kLine;
    if (!there || line[kLine - 2] != '1') {
      missing.push_back(rank);
    }
  }
  if (file >= 0) {
    close(file);
  }
  const auto where =
      fmt::format("{} (type {}, pattern {}, {} of {} processes)", step_.name, row(step_.type).name,
                  step_.pattern, to_string(step_.block.access), step_.block.processes);
  if (missing.empty() || std::cmp_equal(missing.size(), step_.block.processes)) {
    return fmt::format("{} did not end within {}: all processes are inside", where,
                       format_duration(settings_.limit));
  }
  return fmt::format("{} did not end within {}: ranks {} did not arrive", where,
                     format_duration(settings_.limit), fmt::join(missing, ", "));
}

}  // namespace beff::b_eff_io
