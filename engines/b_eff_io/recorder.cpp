#include "engines/b_eff_io/recorder.hpp"

#include <fmt/format.h>

#include "core/b_eff_io/result.hpp"
#include "core/record/json.hpp"

namespace beff::b_eff_io {
namespace {

/// Progress is the share of the time that the run will have taken, in steps of a millionth.
constexpr std::int64_t kSteps = 1'000'000;

}  // namespace

Recorder::Recorder(const Plan& plan, const CommonOptions& options,
                   const Json& result_without_samples)
    : plan_(&plan),
      log_(options, {.benchmark = "b_eff_io", .samples = planned_samples(plan), .steps = kSteps},
           result_without_samples),
      forecast_(plan) {}

Hooks Recorder::hooks() {
  return {.sample = [this](const Sample& sample) { note(sample); },
          .type = [this](const TypeSample& type) { log_.append({{"type", to_json(type)}}); },
          .notes =
              [this](std::size_t partition, const PartitionNotes& notes) {
                auto entry = to_json(notes);
                entry["partition"] = partition;
                log_.append({{"notes", std::move(entry)}});
              },
          .pattern = [this](const PatternWork& pattern) { show(pattern); }};
}

void Recorder::note(const Sample& sample) {
  forecast_.note(sample);
  log_.append({{"sample", to_json(*plan_, sample)}, {"to_come_s", forecast_.to_come()}});
  const auto bandwidth = sample.bandwidth_MBps();
  last_ = bandwidth ? fmt::format(" (before: pattern {} {:.1f} MB/s)", sample.pattern, *bandwidth)
                    : std::string();
}

/// Before the first call of a pattern: from there on its clock runs.
void Recorder::show(const PatternWork& pattern) {
  const double share = log_.elapsed() / (log_.elapsed() + forecast_.to_come());
  log_.show(static_cast<std::int64_t>(static_cast<double>(kSteps) * share),
            fmt::format("{} on {} processes, {} pattern {}{}", to_string(pattern.access),
                        pattern.processes, row(pattern.type).name, pattern.pattern, last_));
}

}  // namespace beff::b_eff_io
