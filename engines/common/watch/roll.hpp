#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "engines/common/mpi/handles.hpp"

namespace beff {

/// What a process says of itself when it is asked.
struct RollLine {
  std::int64_t question = 0;  ///< the number of the question that it answers; 0: it gave no answer
  std::int64_t step = 0;      ///< see Watchdog
  bool arrived = false;
  std::string where;  ///< where it stands, for the reader
};

/// A process's line as rank 0 reads it.
struct RollEntry : RollLine {
  std::string host;  ///< empty: the process has not seen the roll of this run
};

/// The first line, and that of rank 0.
struct RollHead {
  std::int64_t question = 0;  ///< the last that was asked; kGone where there is no roll
  std::string run;            ///< a number that no other run has; empty where none can be seen
  std::string host;           ///< of rank 0
  std::int64_t sign = 0;      ///< the last of rank 0's signs of life
  int speaker = 0;            ///< who says that these have ended; 0: nobody
  bool signed_in = false;     ///< this process, in the roll of that run
};

/// A file by which a run claims its output for itself, and by which rank 0 asks all processes where
/// they stand: a first line, and a line of fixed length for each rank. There a process says on
/// which host it is, as soon as it sees the roll, and later writes its last answer. Rank 0, which
/// nobody asks, gives signs of life in its line, as long as it is not stopped. An answer
/// counts for the question that it names, so what was written before blames and excuses nobody, and
/// neither does what another run has left. It is one file for all processes, which rank 0 reads in
/// one piece: for 10^5 of them in 20 ms. A process opens it once, to look and to sign in; and again
/// only where something hangs: what others write is sure to be seen by NFS after an open alone.
///
/// Every call may hang with the file system: use it by in_time(). Copies share the claim.
class Roll {
 public:
  enum : std::int64_t { kGone = -1, kNoQuestion = 0 };

  explicit Roll(std::filesystem::path path)
      : path_(std::move(path)), claim_(std::make_shared<Claim>()) {}

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  /// Makes it, on rank 0, which holds it until its process ends; takes over what a run has left
  /// that was killed. Throws FileError where another run is under way, or where it cannot be made.
  void claim() const;
  /// Removes it, if it is claimed.
  void remove() const;
  /// False where it cannot be written.
  [[nodiscard]] bool ask(std::int64_t question) const;
  /// Rank 0's sign of life. False where it cannot be written.
  [[nodiscard]] bool give_sign(std::int64_t sign) const;
  /// Of ranks 0 … processes - 1; no answers but those to this question. Nothing where it
  /// cannot be read.
  [[nodiscard]] std::vector<RollEntry> read(std::int64_t question, int processes) const;

  /// Whose it is, on rank 0; empty where it could not be claimed.
  [[nodiscard]] std::string run() const;

  /// What another rank sees of it, which says there which host it is on, unless it has done so for
  /// the run `signed_run`. By one open.
  [[nodiscard]] RollHead read_head(int rank, const std::string& signed_run) const;
  /// Who speaks where rank 0 gives no sign. False where it cannot be written.
  [[nodiscard]] bool name_speaker(int rank, const std::string& run) const;
  /// Removes it, if it is of this run.
  void remove_of(const std::string& run) const;
  /// False where it cannot be written.
  [[nodiscard]] bool answer(int rank, const std::string& run, const RollLine& line) const;

 private:
  [[nodiscard]] std::string run_there() const;

  struct Claim {
    std::mutex busy;
    OpenFile file;    ///< locked where the file system knows locks
    std::string run;  ///< whose it is
  };

  std::filesystem::path path_;
  std::shared_ptr<Claim> claim_;  ///< of rank 0
};

}  // namespace beff
