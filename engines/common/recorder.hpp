#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/record/json_fwd.hpp"
#include "engines/common/owned.hpp"
#include "engines/common/progress.hpp"

namespace beff {

/// What rank 0 records and shows while a run measures: a journal, and on standard error how far the
/// run is. The journal is one JSON object per line, handed to the operating system line by line: a
/// killed run loses at most the loop it was in.
class Recorder {
 public:
  /// `samples` are what the journal will hold, `steps` what the progress counts.
  struct Extent {
    std::int64_t samples;
    std::int64_t steps;
  };

  /// Starts the journal. Its first line is a whole result but for samples: so a killed run can be
  /// made a result, with environment and plan. Throws RunError.
  Recorder(std::filesystem::path journal, std::string benchmark, const Extent& extent,
           ProgressMode progress, const Json& result_without_samples);

  /// Where the journal cannot be written any more, as on a full disk, says so once and goes on in
  /// another place with all that it held; without one if there is no place.
  void append(const Json& record);
  /// `done` of the steps are measured; `what` names what is measured next.
  void show(std::int64_t done, std::string_view what);
  /// Seconds since the start.
  [[nodiscard]] Seconds elapsed() const;
  /// The end of the journal; once.
  void finish(bool complete);

 private:
  /// Takes over what was written, and `line`, in another place.
  void move_journal(const std::string& line, const std::string& reason);

  std::string benchmark_;
  std::filesystem::path path_;
  OpenFile file_;
  OpenFile left_;            ///< the first, once it cannot be written any more
  std::size_t written_ = 0;  ///< byte, of whole lines
  bool is_written_ = true;
  bool finished_ = false;
  Seconds started_;
  Progress progress_;
};

}  // namespace beff
