#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/record/json_fwd.hpp"
#include "engines/common/common_options.hpp"
#include "engines/common/journal.hpp"
#include "engines/common/progress.hpp"

namespace beff {

/// What rank 0 tells while a run measures: a journal, and on standard error how far the run is.
class RunLog {
 public:
  /// What a run is: `samples` are what its journal will hold, `steps` what its progress counts.
  struct Run {
    std::string benchmark;
    std::int64_t samples;
    std::int64_t steps;
  };

  /// Starts the journal. Its first line is a whole result but for samples: so a killed run can be
  /// made a result, with environment and plan. Throws RunError.
  RunLog(const CommonOptions& options, Run run, const Json& result_without_samples);

  /// A journal that cannot be written must not cost the measurement: says so once and goes on.
  void append(const Json& record);
  /// `done` of the steps are measured; `what` names what is measured next.
  void show(std::int64_t done, std::string_view what);
  /// Seconds since the start.
  [[nodiscard]] Seconds elapsed() const;
  void finish(bool complete);

 private:
  std::string benchmark_;
  Journal journal_;
  bool is_written_ = true;
  Seconds started_;
  Progress progress_;
};

}  // namespace beff
