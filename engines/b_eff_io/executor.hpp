#pragma once

#include <mpi.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/b_eff_io/order.hpp"
#include "core/b_eff_io/plan.hpp"
#include "core/b_eff_io/sample.hpp"
#include "engines/b_eff_io/agreement.hpp"
#include "engines/b_eff_io/cache_watch.hpp"
#include "engines/b_eff_io/hints.hpp"
#include "engines/b_eff_io/read_check.hpp"
#include "engines/b_eff_io/run_files.hpp"
#include "engines/b_eff_io/transfer.hpp"
#include "engines/b_eff_io/types/types.hpp"
#include "engines/b_eff_io/watchdog.hpp"
#include "engines/common/communicator.hpp"
#include "engines/common/nodes.hpp"

namespace beff::b_eff_io {

/// How orders are to be carried out; the same on all processes.
struct ExecutorSettings {
  std::uint64_t run = 0;  ///< see Author
  Pointer pointer = Pointer::kShared;
  Verify verify = Verify::kSample;
  bool drop_cache = true;
  bool shift_readers = false;
  Hints hints;
  std::optional<Seconds> time_limit;  ///< of the run; rank 0's clock counts
  Waiting waiting = Waiting::kSpinning;
};

/// Carries out the orders of a schedule with MPI and takes the times. Collective over
/// MPI_COMM_WORLD in construction; in execute() over the processes that the order names.
class Executor {
 public:
  /// The references must outlive the executor. Throws std::bad_alloc.
  Executor(const Plan& plan, const Nodes& nodes, const RunFiles& files,
           const ExecutorSettings& settings, Watchdog& watchdog);

  [[nodiscard]] Outcome execute(const Order& order);

  /// Since the first order's execution began.
  [[nodiscard]] Seconds elapsed() const;
  [[nodiscard]] const std::vector<CacheState>& cache() const { return cache_.states(); }
  [[nodiscard]] const std::vector<HintNote>& hints() const { return hints_; }
  /// Where and what the first wrong byte was, on rank 0.
  [[nodiscard]] const std::optional<std::string>& first_wrong() const { return first_wrong_; }
  /// Whether processes of some partition read what another node wrote.
  [[nodiscard]] bool readers_are_shifted() const;
  /// Why this process wished the run to end, for the reader; empty if it did not.
  [[nodiscard]] std::optional<std::string> stop_reason() const;

 private:
  Outcome begin(const Order& order);
  Outcome end();
  Outcome calibrate(const Order& order);
  Outcome open(const Order& order);
  Outcome calls(const Order& order);
  Outcome finish(const Order& order);
  Outcome close(const Order& order);

  void prepare(const Order& order);
  void check(const Order& order, Outcome& agreed);
  /// What the library made of hints for the file (empty `pattern`) or the order's pattern.
  void note_hints(const Order& order, std::optional<int> pattern, const HintMap& requested);
  [[nodiscard]] MPI_Comm members(const Order& order) const;
  /// The communicator that opens a file which all processes of a partition share.
  [[nodiscard]] MPI_Comm openers(const Order& order) const;
  /// The rank whose data and file this process works on: its own, or a shifted reader's.
  [[nodiscard]] int owner(const Order& order) const;
  [[nodiscard]] Author author(const Order& order) const;
  [[nodiscard]] bool wishes_to_stop() const;
  /// What this process says at the end of an order that has taken `elapsed` here.
  [[nodiscard]] Outcome seen(Seconds elapsed, bool look_at_space) const;
  [[nodiscard]] Outcome agree_with(const Order& order, Outcome mine,
                                   const std::optional<std::string>& error);
  /// Begins to agree on `mine`. Returns what was agreed on before, if something was.
  [[nodiscard]] Outcome agree_later(const Order& order, Outcome mine);
  void add_text(const Order& order, Outcome& agreed, const std::optional<std::string>& error);

  const RunFiles* files_;
  const ExecutorSettings* settings_;
  Watchdog* watchdog_;
  int rank_ = 0;
  std::vector<Communicator> partitions_;
  std::vector<int> reader_shifts_;  ///< of the partitions; 0 where readers are not shifted
  /// The partitions' processes in the order of what they read. Ordered reads through a shared
  /// pointer go by the rank in the communicator that opened the file.
  std::vector<Communicator> readers_;
  TransferBuffer buffer_;
  CacheWatch cache_;
  std::vector<HintNote> hints_;
  std::optional<std::string> first_wrong_;
  Seconds started_ = 0;

  MPI_File file_ = MPI_FILE_NULL;
  Work work_;
  HintMap pattern_hints_;
  const TypeMethod* method_ = nullptr;
  CallErrors errors_;
  Agreement agreement_;
  Seconds pattern_started_ = 0;
};

}  // namespace beff::b_eff_io
