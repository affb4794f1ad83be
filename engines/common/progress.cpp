#include "engines/common/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace beff {
namespace {

constexpr Seconds kBarInterval = 0.1;
constexpr Seconds kLineInterval = 5;
constexpr int kBarWidth = 30;

std::string eta_text(double share, Seconds elapsed) {
  constexpr double kTooEarly = 0.01;
  return share < kTooEarly ? "estimating" : format_duration(elapsed / share - elapsed) + " left";
}

}  // namespace

Progress::Progress(ProgressMode mode, std::int64_t total, Seconds now)
    : shown_(mode != ProgressMode::kNever),
      bar_(mode == ProgressMode::kAlways || isatty(STDERR_FILENO) != 0),
      total_(total),
      started_(now),
      last_shown_(now) {}

void Progress::update(std::int64_t done, std::string_view what, Seconds now) {
  if (!shown_ || now - last_shown_ < (bar_ ? kBarInterval : kLineInterval)) {
    return;
  }
  last_shown_ = now;
  const double share = static_cast<double>(done) / static_cast<double>(total_);
  const auto eta = eta_text(share, now - started_);
  if (bar_) {
    const int filled = static_cast<int>(share * kBarWidth);
    fmt::print(stderr, "\r[{:#<{}}{:.<{}}] {:3.0f} %  {}  {}\033[K", "", filled, "",
               kBarWidth - filled, 100 * share, eta, what);
  } else {
    fmt::print(stderr, "{:3.0f} % measured, {}, now {}\n", 100 * share, eta, what);
  }
  std::fflush(stderr);
}

void Progress::finish() const {
  if (shown_ && bar_) {
    fmt::print(stderr, "\r\033[K");
  }
}

}  // namespace beff
