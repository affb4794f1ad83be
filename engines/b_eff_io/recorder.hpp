#pragma once

#include <memory>
#include <string_view>

#include "core/b_eff_io/forecast.hpp"
#include "core/b_eff_io/measure.hpp"
#include "core/b_eff_io/plan.hpp"
#include "core/record/json_fwd.hpp"
#include "engines/b_eff_io/options.hpp"
#include "engines/common/journal.hpp"
#include "engines/common/progress.hpp"

namespace beff::b_eff_io {

/// What rank 0 shows and writes while the benchmark runs: the journal and the progress.
class Recorder {
 public:
  /// Throws RunError when the journal cannot be opened.
  Recorder(const Plan& plan, const Options& options, const Json& result_without_samples);

  [[nodiscard]] Hooks hooks();
  /// `how` is "complete" or "stopped".
  void finish(std::string_view how);

 private:
  void append(const Json& record);
  void show(const PatternWork& pattern);
  void note(const Sample& sample);

  const Plan* plan_;
  std::unique_ptr<Journal> journal_;
  Progress progress_;
  Forecast forecast_;
  Seconds started_;
  std::string last_;  ///< bandwidth of the pattern before
};

}  // namespace beff::b_eff_io
