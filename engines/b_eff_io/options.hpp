#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/b_eff_io/plan.hpp"
#include "engines/b_eff_io/hints.hpp"
#include "engines/b_eff_io/read_check.hpp"
#include "engines/b_eff_io/run_files.hpp"
#include "engines/common/common_options.hpp"

namespace beff::b_eff_io {

struct Options : CommonOptions {
  Folders folders;
  Seconds time = kOfficialTime;
  Release release = Release::k1;
  std::vector<int> partitions;
  std::vector<Type> types;
  std::optional<RewriteSet> rewrite;
  Pointer pointer = Pointer::kShared;
  Hints hints;
  std::string hints_file;
  Verify verify = Verify::kSample;
  bool drop_cache = true;
  bool keep_files = false;
  bool shift_readers = false;
  std::optional<Bytes> max_data;
  std::optional<Bytes> max_segment;
  std::optional<Bytes> max_chunk;
  std::optional<Bytes> segment_unit;
  std::optional<Bytes> fs_cache;
  std::optional<std::string> filesystem_note;
  std::optional<Seconds> hang_limit;

  static constexpr Seconds kOfficialTime = 1800;
  static constexpr Seconds kShortestHangLimit = 600;

  /// How long one step may take before the run is given up.
  [[nodiscard]] Seconds longest_step() const {
    return hang_limit.value_or(std::max(kShortestHangLimit, time));
  }
};

/// Reads the command line. Throws UsageError with one sentence.
Options parse_options(int argc, char** argv);

/// Where and with what a plan is to run.
struct Place {
  int processes = 0;
  Bytes memory_per_process = 0;
  std::optional<Bytes> striping_unit;
  Bytes reserve = 0;
};

PlanRequest plan_request(const Options& options, const Place& place);

}  // namespace beff::b_eff_io
