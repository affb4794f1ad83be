#pragma once

#include <string>
#include <vector>

#include "core/b_eff_io/plan.hpp"
#include "core/b_eff_io/sample.hpp"
#include "core/record/environment.hpp"
#include "core/record/json_fwd.hpp"
#include "engines/b_eff_io/options.hpp"
#include "engines/b_eff_io/run.hpp"
#include "engines/b_eff_io/run_files.hpp"

namespace beff::b_eff_io {

/// Removes the files of the run at the end of the scope, whatever happened, unless told to keep.
class FileGuard {
 public:
  FileGuard(RunFiles& files, bool keep) : files_(&files), keep_(keep) {}
  FileGuard(const FileGuard&) = delete;
  FileGuard(FileGuard&&) = delete;
  FileGuard& operator=(const FileGuard&) = delete;
  FileGuard& operator=(FileGuard&&) = delete;
  ~FileGuard() { (void)remove(); }

  std::vector<std::string> remove() {
    return keep_ ? std::vector<std::string>() : files_->remove();
  }

 private:
  RunFiles* files_;
  bool keep_;
};

/// What rank 0 reports at the end of a run, however it comes.
class Report {
 public:
  /// The references must outlive the report.
  Report(const Plan& plan, const Options& options, const RunContext& context,
         Environment environment, FileSystem file_system);

  /// The result file of a run that has measured nothing yet.
  [[nodiscard]] Json without_samples() const;

  /// Removes the files, prints the protocol and writes it and the result. Returns the exit code;
  /// throws RunError. Makes no MPI call: the watchdog's thread reports where MPI hangs.
  int write(Measurement measurement, FileGuard& files);

 private:
  const Plan* plan_;
  const Options* options_;
  const RunContext* context_;
  Environment environment_;
  FileSystem file_system_;
  Seconds started_;
};

}  // namespace beff::b_eff_io
