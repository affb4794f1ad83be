#include "engines/b_eff_io/recorder.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <cstdio>

#include "core/b_eff_io/result.hpp"
#include "core/record/json.hpp"
#include "engines/common/fail.hpp"
#include "engines/common/output_files.hpp"

namespace beff::b_eff_io {
namespace {

/// Progress is the share of the time that the run will have taken, in steps of a millionth.
constexpr double kSteps = 1e6;

std::int64_t planned_samples(const Plan& plan) {
  std::int64_t count = 0;
  for (const Access access : kAccesses) {
    count += std::ranges::count_if(plan.patterns,
                                   [&](const Pattern& p) { return plan.runs(access, p.type); });
  }
  return count * static_cast<std::int64_t>(plan.partitions.size());
}

}  // namespace

Recorder::Recorder(const Plan& plan, const Options& options, const Json& result_without_samples)
    : plan_(&plan),
      journal_(std::make_unique<Journal>(OutputFiles(options.output).journal())),
      progress_(options.quiet ? ProgressMode::kNever : options.progress,
                static_cast<std::int64_t>(kSteps), MPI_Wtime()),
      forecast_(plan),
      started_(MPI_Wtime()) {
  append({{"journal", 1},
          {"benchmark", "b_eff_io"},
          {"loops", planned_samples(plan)},
          {"result", result_without_samples}});
}

Hooks Recorder::hooks() {
  return {.sample = [this](const Sample& sample) { note(sample); },
          .type = [this](const TypeSample& type) { append({{"type", to_json(type)}}); },
          .notes =
              [this](std::size_t partition, const PartitionNotes& notes) {
                auto entry = to_json(notes);
                entry["partition"] = partition;
                append({{"notes", std::move(entry)}});
              },
          .pattern = [this](const PatternWork& pattern) { show(pattern); }};
}

void Recorder::note(const Sample& sample) {
  forecast_.note(sample);
  append({{"sample", to_json(*plan_, sample)}, {"to_come_s", forecast_.to_come()}});
  const auto bandwidth = sample.bandwidth_MBps();
  last_ = bandwidth ? fmt::format(" (before: pattern {} {:.1f} MB/s)", sample.pattern, *bandwidth)
                    : std::string();
}

/// Before the first call of a pattern: from there on its clock runs.
void Recorder::show(const PatternWork& pattern) {
  const Seconds now = MPI_Wtime();
  const Seconds elapsed = now - started_;
  progress_.update(static_cast<std::int64_t>(kSteps * elapsed / (elapsed + forecast_.to_come())),
                   fmt::format("{} on {} processes, {} pattern {}{}", to_string(pattern.access),
                               pattern.processes, row(pattern.type).name, pattern.pattern, last_),
                   now);
}

void Recorder::finish(std::string_view how) {
  append({{"end", how}});
  progress_.finish();
}

/// A journal that cannot be written must not cost the measurement: say so once and go on.
void Recorder::append(const Json& record) {
  if (!journal_) {
    return;
  }
  try {
    journal_->append(record);
  } catch (const RunError& error) {
    fmt::print(stderr, "b_eff_io: {}; measuring goes on without it\n", error.what());
    journal_.reset();
  }
}

}  // namespace beff::b_eff_io
