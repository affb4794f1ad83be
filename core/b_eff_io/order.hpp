#pragma once

#include <cstdint>
#include <string>

#include "core/b_eff_io/batch_control.hpp"
#include "core/b_eff_io/layout.hpp"
#include "core/b_eff_io/types.hpp"
#include "core/units/quantity_text.hpp"

namespace beff::b_eff_io {

/// The kinds of order. "Members" are ranks 0…n-1 of the order's partition; all others see only
/// kBegin and kEnd. Each order ends with one agreement of those who see it (an Outcome).
enum class Phase : std::uint8_t {
  /// All processes of the run: meet, then get ready for a partition and access method, outside
  /// every clock: make the folder, drop page caches, note residency. Outcome: now, free, stop.
  /// `elapsed` unused.
  kBegin,
  /// Members: time one agreement (mean of 50, after a warm-up). Outcome.elapsed: that mean.
  kCalibrate,
  /// Members: barrier, clock, open the file of the type. Outcome.elapsed: slowest process's open.
  /// Where error is set the engine closes on those ranks that could open; no kClose follows.
  kOpen,
  /// Members: `calls` calls of a pattern, from call number `first_call` on. Where first_call is 0:
  /// fill buffers, barrier, start the pattern's clock, then set the view (or move the pointer)
  /// before the calls. Outcome.elapsed: since the pattern's clock started. Where `defers` is set,
  /// the members only begin to agree, and go on while they carry out the next order: the outcome is
  /// that of the order before if that was deferred as well, and otherwise not `known`. An order of
  /// 0 calls only waits for what was deferred.
  kCalls,
  /// Members: end the pattern: MPI_File_sync if `sync`, barrier. Outcome.elapsed: since the
  /// pattern's clock started. After the clock is read: check what was read (`checked`, `wrong`).
  kFinish,
  /// Members: close the file. Outcome.elapsed: slowest process's close.
  kClose,
  /// All processes of the run meet; nothing follows. Always the last order, except after an abort.
  kEnd,
};

/// What to do now. Fields that a phase does not use are 0.
struct Order {
  Phase phase;
  int partition = 0;  ///< index into Plan::partitions
  int processes = 0;  ///< its number of processes
  Access access = Access::kWrite;
  Type type = Type::kScatter;
  int pattern = 0;  ///< number
  std::int64_t first_call = 0;
  std::int64_t calls = 0;  ///< kFinish: of the whole pattern
  /// kCalls: calls of the whole pattern where they are known beforehand, 0 where time decides.
  std::int64_t calls_expected = 0;
  bool defers = false;    ///< kCalls: agree while the next order is carried out
  Placement placement{};  ///< kCalls, kFinish: of the pattern
  /// kCalls, first batch: the file pointer does not stand at placement.base yet by itself, because
  /// a pattern before failed or was left out. Only a shared pointer needs it
  /// (MPI_File_seek_shared): where a view or an offset is set for each pattern anyway, it means
  /// nothing.
  bool reposition = false;
  /// kFinish: sync before the barrier.
  bool sync = false;
  /// Read: the rewrite went through this pattern; else it holds what the initial write put there.
  bool rewritten = false;
};

/// What the members (kBegin and kEnd: all processes) agree on when an order is done: maxima over
/// the processes of elapsed, now, error and stop, minimum of free. Every member must pass the same
/// values; one reduction gives them. `text`, `checked` and `wrong` are for the record: no decision
/// depends on `text`, which rank 0 alone may know.
struct Outcome {
  Seconds elapsed = 0;       ///< see Phase
  Seconds now = 0;           ///< since the run's clock started
  Bytes free = kUnlimited;   ///< of the file system; kUnlimited where unknown
  bool error = false;        ///< an MPI call of this order failed or moved too little on some
                             ///< process; kCalls: or of an order before in the same pattern
  bool stop = false;         ///< a signal or the time limit: end soon; once set it must stay set
  std::string text;          ///< the library's error text
  std::int64_t checked = 0;  ///< kFinish: chunks compared, sum over processes
  std::int64_t wrong = 0;    ///< kFinish: of them with wrong bytes
  bool known = true;         ///< false: nothing has been agreed on yet, see kCalls
};

}  // namespace beff::b_eff_io
