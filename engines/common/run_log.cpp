#include "engines/common/run_log.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <utility>

#include "core/record/json.hpp"
#include "engines/common/clock.hpp"
#include "engines/common/fail.hpp"
#include "engines/common/output_files.hpp"

namespace beff {

RunLog::RunLog(const CommonOptions& options, Run run, const Json& result_without_samples)
    : benchmark_(std::move(run.benchmark)),
      journal_(OutputFiles(options.output).journal()),
      started_(watch_time()),
      progress_(options.quiet ? ProgressMode::kNever : options.progress, run.steps, started_) {
  append({{"journal", 1},
          {"benchmark", benchmark_},
          {"loops", run.samples},
          {"result", result_without_samples}});
}

void RunLog::append(const Json& record) {
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

void RunLog::show(std::int64_t done, std::string_view what) {
  progress_.update(done, what, watch_time());
}

Seconds RunLog::elapsed() const { return watch_time() - started_; }

void RunLog::finish(bool complete) {
  append({{"end", complete ? "complete" : "stopped"}});
  progress_.finish();
}

}  // namespace beff
