#include "engines/common/recorder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "core/record/json.hpp"
#include "engines/common/clock.hpp"
#include "engines/common/fail.hpp"
#include "engines/common/output_files.hpp"

namespace beff {

Journal::Journal(const std::filesystem::path& path)
    : path_(path),
      file_(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666)) {
  if (file_.get() < 0) {
    throw RunError(
        fmt::format("the journal {} cannot be opened: {}", path.string(), std::strerror(errno)));
  }
}

void Journal::append(const Json& record) const {
  const std::string line = json_text(record) + "\n";
  const char* rest = line.data();
  auto left = line.size();
  while (left > 0) {
    const auto written = write(file_.get(), rest, left);
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written <= 0) {
      throw RunError(fmt::format("the journal {} cannot be written: {}", path_.string(),
                                 std::strerror(errno)));
    }
    rest += written;
    left -= static_cast<std::size_t>(written);
  }
}

void Journal::touch() const { (void)futimens(file_.get(), nullptr); }

Recorder::Recorder(const CommonOptions& options, Extent extent, const Json& result_without_samples)
    : benchmark_(std::move(extent.benchmark)),
      journal_(OutputFiles(options.output).journal()),
      started_(watch_time()),
      progress_(options.quiet ? ProgressMode::kNever : options.progress, extent.steps, started_) {
  append({{"journal", 1},
          {"benchmark", benchmark_},
          {"loops", extent.samples},
          {"result", result_without_samples}});
}

void Recorder::append(const Json& record) {
  if (!is_written_) {
    journal_.touch();
    return;
  }
  try {
    journal_.append(record);
  } catch (const RunError& error) {
    fmt::print(stderr, "{}: {}; measuring goes on without it\n", benchmark_, error.what());
    is_written_ = false;
  }
}

void Recorder::show(std::int64_t done, std::string_view what) {
  progress_.update(done, what, watch_time());
}

Seconds Recorder::elapsed() const { return watch_time() - started_; }

void Recorder::finish(bool complete) {
  append({{"end", complete ? "complete" : "stopped"}});
  progress_.finish();
}

}  // namespace beff
