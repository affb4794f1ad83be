#include "engines/common/run/recorder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <utility>

#include "core/record/json.hpp"
#include "engines/common/host/host.hpp"
#include "engines/common/mpi/clock.hpp"
#include "engines/common/run/files.hpp"
#include "engines/common/watch/end.hpp"

namespace beff {
namespace {

OpenFile started(const std::filesystem::path& path) {
  try {
    return open_regular(path, O_RDWR | O_CREAT | O_TRUNC | O_APPEND);
  } catch (const FileError& problem) {
    throw RunError(
        fmt::format("the journal {} cannot be opened: {}", path.string(), problem.what()));
  }
}

}  // namespace

Recorder::Recorder(std::filesystem::path journal, std::string benchmark, const Extent& extent,
                   ProgressMode progress, const Json& result_without_samples)
    : benchmark_(std::move(benchmark)),
      path_(std::move(journal)),
      file_(started(path_)),
      started_(watch_time()),
      progress_(progress, extent.steps, started_) {
  append({{"journal", 1},
          {"benchmark", benchmark_},
          {"loops", extent.samples},
          {"result", result_without_samples}});
}

void Recorder::append(const Json& record) {
  if (left_.get() >= 0) {
    (void)futimens(left_.get(), nullptr);  // who watches it sees that the run goes on
  }
  if (!is_written_) {
    return;
  }
  waiting_ += json_text(record) + "\n";
  if (watch_time() >= next_write_) {
    write_waiting();
  }
}

void Recorder::write_waiting() {
  constexpr Seconds kQuick = 0.01;
  constexpr double kShare = 9;  // of the time that writing takes, the least until the next
  constexpr Seconds kLongest = 10;
  const Seconds begin = watch_time();
  try {
    write_all(file_, waiting_);
    written_ += waiting_.size();
  } catch (const FileError& problem) {
    move_journal(problem.what());
  }
  waiting_.clear();
  const Seconds end = watch_time();
  next_write_ = end - begin < kQuick ? end : end + std::min(kShare * (end - begin), kLongest);
}

Recorder::~Recorder() {
  if (is_written_ && !waiting_.empty()) {
    write_waiting();
  }
}

void Recorder::move_journal(const std::string& reason) {
  (void)(ftruncate(file_.get(), static_cast<off_t>(written_)) == 0);  // no line that is cut
  std::string text(written_, '\0');  // by the file, which may have lost its name
  text.resize(read_at(file_, text.data(), written_, 0));
  text += waiting_;
  const bool whole = text.size() == written_ + waiting_.size();
  const auto other = whole ? write_elsewhere(path_, text) : std::nullopt;
  say(fmt::format("{}: the journal {} cannot be written: {}; {}", benchmark_, path_.string(),
                  reason,
                  other ? fmt::format("it goes on in {} on {}, with all that was before",
                                      other->string(), own_host())
                        : std::string("measuring goes on without it")));
  if (left_.get() < 0) {
    left_ = std::move(file_);
  }
  try {
    is_written_ = other.has_value();
    if (is_written_) {
      file_ = open_regular(*other, O_RDWR | O_APPEND);
      written_ = text.size();
      path_ = *other;
    }
  } catch (const FileError&) {
    is_written_ = false;
  }
}

void Recorder::show(std::int64_t done, std::string_view what) {
  progress_.update(done, what, watch_time());
}

Seconds Recorder::elapsed() const { return watch_time() - started_; }

void Recorder::finish(bool complete) {
  if (!std::exchange(finished_, true)) {
    append({{"end", complete ? "complete" : "stopped"}});
    if (!waiting_.empty()) {
      write_waiting();
    }
    progress_.finish();
  }
}

namespace {

constexpr Seconds kBarInterval = 0.1;
constexpr Seconds kLineInterval = 5;
constexpr int kBarWidth = 30;

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
  constexpr double kTooEarly = 0.01;
  const Seconds elapsed = now - started_;
  const auto eta =
      share < kTooEarly ? "estimating" : format_duration(elapsed / share - elapsed) + " left";
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
