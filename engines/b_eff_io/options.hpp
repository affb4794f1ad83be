#pragma once

#include <optional>
#include <string>

#include "core/b_eff_io/plan.hpp"
#include "engines/b_eff_io/content.hpp"
#include "engines/b_eff_io/hints.hpp"
#include "engines/b_eff_io/run_files.hpp"
#include "engines/common/run/program.hpp"

namespace beff::b_eff_io {

struct Options : CommonOptions {
  PlanRequest request;  ///< without what planned() adds
  Folders folders;
  Hints hints;
  std::string hints_file;
  Verify verify = Verify::kSample;
  bool keep_files = false;
  bool shift_readers = false;
  std::optional<Bytes> fs_cache;
  std::optional<std::string> filesystem_note;
};

/// Reads the command line. Throws UsageError with one sentence.
Options parse_options(int argc, char** argv);

/// The plan of these options with these resources; of the file system `reserve` byte stay free.
/// Throws UsageError.
[[nodiscard]] Plan planned(const Options& options, const Resources& resources,
                           std::optional<Bytes> striping_unit = std::nullopt, Bytes reserve = 0);

/// Measures and reports; returns the exit code, the same on all ranks. Throws UsageError and
/// RunError on all ranks alike. Ends the job where a file cannot be closed any more.
int carry_out(const MpiSession& session, Watchdog& watchdog, Options& options,
              const RunContext& context);

/// Prints the plan of these options with these resources, with the free space where they name a
/// folder. Throws UsageError.
void print_plan(const Options& asked, const RunContext& context, const Resources& resources);

}  // namespace beff::b_eff_io
