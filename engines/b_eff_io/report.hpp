#pragma once

#include "core/b_eff_io/plan.hpp"
#include "core/b_eff_io/sample.hpp"
#include "core/record/json_fwd.hpp"
#include "engines/b_eff_io/options.hpp"
#include "engines/common/run_shell.hpp"

namespace beff::b_eff_io {

/// What rank 0 reports at the end of a run, however it comes.
class Report {
 public:
  /// The references must outlive the report.
  Report(const Plan& plan, const Options& options, const RunContext& context, const RunStart& start,
         const FileSystem& file_system)
      : plan_(&plan),
        options_(&options),
        context_(&context),
        start_(&start),
        file_system_(&file_system) {}

  /// The result file of a run that has measured nothing yet.
  [[nodiscard]] Json without_samples() const;

  /// Prints the protocol, writes it and the result. Returns the exit code; throws RunError. Makes
  /// no MPI call: the watchdog's thread reports where MPI hangs.
  [[nodiscard]] int write(Measurement measurement) const;

 private:
  const Plan* plan_;
  const Options* options_;
  const RunContext* context_;
  const RunStart* start_;
  const FileSystem* file_system_;
};

}  // namespace beff::b_eff_io
