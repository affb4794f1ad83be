#pragma once

#include <string>

#include "core/b_eff_io/forecast.hpp"
#include "core/b_eff_io/measure.hpp"
#include "core/b_eff_io/plan.hpp"
#include "core/record/json_fwd.hpp"
#include "engines/common/run_log.hpp"

namespace beff::b_eff_io {

/// What rank 0 shows and writes while the benchmark runs: the journal and the progress.
class Recorder {
 public:
  /// Throws RunError when the journal cannot be opened.
  Recorder(const Plan& plan, const CommonOptions& options, const Json& result_without_samples);

  [[nodiscard]] Hooks hooks();
  void finish(bool complete) { log_.finish(complete); }

 private:
  void show(const PatternWork& pattern);
  void note(const Sample& sample);

  const Plan* plan_;
  RunLog log_;
  Forecast forecast_;
  std::string last_;  ///< bandwidth of the pattern before
};

}  // namespace beff::b_eff_io
