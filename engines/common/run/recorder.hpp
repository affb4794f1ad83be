#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/record/json_fwd.hpp"
#include "core/units/quantity_text.hpp"
#include "engines/common/mpi/handles.hpp"

namespace beff {

enum class ProgressMode : std::uint8_t {
  kAuto,    ///< a bar on a terminal, plain lines elsewhere
  kAlways,  ///< the bar, wherever standard error goes
  kNever,
};

[[nodiscard]] constexpr std::string_view to_string(ProgressMode mode) {
  constexpr std::array<std::string_view, 3> kNames{"auto", "always", "never"};
  return kNames.at(static_cast<std::size_t>(mode));
}

/// Shows on standard error how far a run is, as a bar or as a plain line from time to time. Only
/// the rank that reports makes one; `now` is its clock in seconds.
class Progress {
 public:
  Progress(ProgressMode mode, std::int64_t total, Seconds now);

  /// `done` of the total are measured; `what` names what is measured next.
  void update(std::int64_t done, std::string_view what, Seconds now);
  /// Ends the bar's line.
  void finish() const;

 private:
  bool shown_;
  bool bar_;
  std::int64_t total_;
  Seconds started_;
  Seconds last_shown_;
};

/// What rank 0 records and shows while a run measures: a journal, and on standard error how far the
/// run is. The journal is one JSON object per line, handed to the operating system line by line: a
/// killed run loses at most the loop it was in. Where the file system needs 10 ms or more for an
/// answer, lines wait for later ones, so that writing takes a tenth of the time at most: the next
/// is written nine times as long after, 10 s at most, and what waits then is lost with a killed
/// run.
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
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;
  /// Writes what waits.
  ~Recorder();

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
  void write_waiting();
  /// Takes over what was written, and what waits, in another place.
  void move_journal(const std::string& reason);

  std::string benchmark_;
  std::filesystem::path path_;
  OpenFile file_;
  OpenFile left_;            ///< the first, once it cannot be written any more
  std::size_t written_ = 0;  ///< byte, of whole lines
  std::string waiting_;      ///< lines that are not written yet
  Seconds next_write_ = 0;   ///< by watch_time()
  bool is_written_ = true;
  bool finished_ = false;
  Seconds started_;
  Progress progress_;
};

}  // namespace beff
