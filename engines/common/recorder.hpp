#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/record/json_fwd.hpp"
#include "engines/common/common_options.hpp"
#include "engines/common/owned.hpp"
#include "engines/common/progress.hpp"

namespace beff {

/// Append-only record of a run, one JSON object per line, handed to the operating system line by
/// line: a killed run loses at most the loop it was in.
class Journal {
 public:
  /// Starts a new file. Throws RunError.
  explicit Journal(const std::filesystem::path& path);
  /// Appends one line in one write. Throws RunError, for instance on a full disk.
  void append(const Json& record) const;
  /// Gives the file the present time, so that who watches it sees that the run goes on.
  void touch() const;

 private:
  std::filesystem::path path_;
  OpenFile file_;
};

/// What rank 0 records and shows while a run measures: a journal, and on standard error how far the
/// run is.
class Recorder {
 public:
  /// `samples` are what the journal will hold, `steps` what the progress counts.
  struct Extent {
    std::string benchmark;
    std::int64_t samples;
    std::int64_t steps;
  };

  /// Starts the journal. Its first line is a whole result but for samples: so a killed run can be
  /// made a result, with environment and plan. Throws RunError.
  Recorder(const CommonOptions& options, Extent extent, const Json& result_without_samples);

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
