#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "core/b_eff_io/layout.hpp"
#include "core/b_eff_io/pattern_table.hpp"
#include "core/benchmark.hpp"
#include "core/units/quantity_text.hpp"

namespace beff::b_eff_io {

/// Free space where nobody knows it.
inline constexpr Bytes kUnlimited = std::numeric_limits<Bytes>::max();

/// A partition in an access method. Its members are ranks 0 … processes - 1.
struct Block {
  int partition = 0;  ///< index into Plan::partitions
  int processes = 0;
  Access access = Access::kWrite;
};

/// A type in a block: one file that is open from open() to close(), or one of each process.
struct TypeWork : Block {
  Type type = Type::kScatter;
};

/// A pattern in a type, from start() to finish().
struct PatternWork : TypeWork {
  int pattern = 0;  ///< number
  Placement placement{};
  /// The file pointer does not stand at placement.base yet, because a pattern before
  /// failed or was left out. Only a shared pointer needs it (MPI_File_seek_shared): where a view or
  /// an offset is set for each pattern anyway, it means nothing.
  bool reposition = false;
  /// Read: the rewrite went through this pattern; else it holds what the initial write put there.
  bool rewritten = false;
};

/// Calls of a pattern that follow its first one.
struct Batch {
  std::int64_t first = 0;  ///< number of its first call
  std::int64_t calls = 0;
};

/// How a pattern ends.
struct PatternEnd {
  std::int64_t calls = 0;  ///< of the whole pattern
  bool sync = false;
};

/// What the processes that take part in a step agree on when it is done, by one reduction: maxima
/// of elapsed, error and stop, minimum of free. No decision depends on `text`, which
/// rank 0 alone may know.
struct Outcome {
  Seconds elapsed = 0;      ///< see Machine
  Bytes free = kUnlimited;  ///< of the file system; kUnlimited where unknown
  bool error = false;       ///< an MPI call of this step failed or moved too little on some process
  bool stop = false;        ///< a signal or the time limit: end soon; once set it must stay set
  std::string text;         ///< the library's error text
};

struct FinishOutcome : Outcome {
  std::int64_t checked = 0;  ///< chunks compared, sum over processes
  std::int64_t wrong = 0;    ///< of them with wrong bytes
};

/// What measure() needs of a machine: processes that access files and agree on how it went. All
/// processes of the run meet() and end(); the rest is for the members of the block. Every process
/// of a step gets the same outcome.
class Machine : public InOnePlace {
 public:
  /// Meet, then get ready for the block outside every clock: drop page caches before a read where
  /// the procedure says so, note residency. Outcome::elapsed is unused.
  virtual Outcome meet(const Block& block) = 0;
  /// Times one agreement. Outcome::elapsed: mean of 50, after a warm-up.
  virtual Outcome calibrate(const Block& block) = 0;
  /// Barrier, clock, open. Outcome::elapsed: slowest process's open. After an error no close()
  /// follows: those ranks that could open close.
  virtual Outcome open(const TypeWork& type) = 0;
  /// Fills buffers, barrier, starts the pattern's clock, sets the view (or moves the pointer),
  /// makes call number 0. Outcome::elapsed: since the clock started.
  virtual Outcome start(const PatternWork& pattern) = 0;
  /// Makes a batch of calls. Outcome::elapsed: since the pattern's clock started. Outcome::error:
  /// in this batch or any call before in the pattern.
  virtual Outcome calls(const PatternWork& pattern, const Batch& batch) = 0;
  /// MPI_File_sync if asked for, barrier. Outcome::elapsed: since the pattern's clock started.
  /// After the clock is read: checks what was read.
  virtual FinishOutcome finish(const PatternWork& pattern, const PatternEnd& end) = 0;
  /// Closes the file. Outcome::elapsed: slowest process's close.
  virtual Outcome close(const TypeWork& type) = 0;
  /// The last meeting. Does not follow where measure() ends in an abort.
  virtual Outcome end() = 0;
};

}  // namespace beff::b_eff_io
