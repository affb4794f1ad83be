#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace beff {

/// What a process says of itself when it is asked.
struct RollLine {
  std::int64_t question = 0;  ///< the number of the question that it answers; 0: it gave no answer
  std::int64_t step = 0;      ///< see Watchdog
  bool arrived = false;
  std::string host;   ///< without blanks
  std::string place;  ///< where it stands, for the reader
};

/// A file by which rank 0 asks all processes where they stand: its first line is the number of the
/// last question, the others are the answers, a line of fixed length for each rank. An answer
/// counts for the question that it names, so what was written before blames and excuses nobody.
///
/// Every call may hang with the file system: use it by in_time().
class Roll {
 public:
  enum : std::int64_t { kGone = -1, kNoQuestion = 0 };

  explicit Roll(std::filesystem::path path) : path_(std::move(path)) {}

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  /// Makes it empty, for rank 0. False where it cannot be made, or belongs to another run under
  /// way: it stays locked until this process ends.
  [[nodiscard]] bool create() const;
  void remove() const;
  /// Whether this process can answer.
  [[nodiscard]] bool is_there() const;

  /// False where it cannot be written.
  [[nodiscard]] bool ask(std::int64_t question) const;
  /// The last question; kGone where the roll was removed.
  [[nodiscard]] std::int64_t question() const;
  /// False where it cannot be written.
  [[nodiscard]] bool answer(int rank, const RollLine& line) const;
  /// Of ranks 0 … processes - 1.
  [[nodiscard]] std::vector<RollLine> answers(std::int64_t question, int processes) const;

 private:
  std::filesystem::path path_;
};

}  // namespace beff
