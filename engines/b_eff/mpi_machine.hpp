#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/b_eff/measure.hpp"
#include "core/b_eff/plan.hpp"
#include "engines/b_eff/transfer.hpp"
#include "engines/common/counters/counters.hpp"
#include "engines/common/memory/memory.hpp"
#include "engines/common/mpi/clock.hpp"
#include "engines/common/mpi/handles.hpp"
#include "engines/common/run/program.hpp"
#include "engines/common/watch/watchdog.hpp"

namespace beff::b_eff {

struct Options : CommonOptions {
  PlanRequest request;  ///< without what planned() adds
  std::optional<double> rmax_gflops;
  bool unchecked = false;  ///< what was received
};

/// Reads the command line. Throws UsageError with one sentence.
Options parse_options(int argc, char** argv);

/// The plan of these options with these resources. Throws UsageError, also where the processes run
/// on other than
/// --nodes.
[[nodiscard]] Plan planned(const Options& options, const Resources& resources);

/// Where a loop is in the plan.
struct LoopPlace {
  int pattern = 0;  ///< id
  Method method = Method::kSendrecv;
  Bytes bytes = 0;
  std::int64_t iterations = 0;
};
[[nodiscard]] std::string text_of(const LoopPlace& place);

/// The processes of MPI_COMM_WORLD. All verbs are collective.
class MpiMachine : public Machine {
 public:
  /// Starts the run's clock. The references must outlive the object. Throws std::bad_alloc.
  MpiMachine(const Plan& plan, const Nodes& nodes, BufferMemory& memory,
             std::optional<Seconds> time_limit, bool checks_data, Watchdog& watchdog);

  /// Lets each process send 1 byte, 4 KiB and L_max to a neighbour of one ring and compares what
  /// came, by each method of the plan, or by those beside the value alone; `begins` is called
  /// before each. Returns those by which that failed, with what the lowest rank that saw it says.
  [[nodiscard]] std::vector<NotMeasured> try_methods(bool official_too,
                                                     const std::function<void(Method)>& begins);
  /// Barrier, warm-up, timed loop, agreement, check of warm-up and loop; before them the transfer
  /// of another pattern or method, if need be.
  LoopReport time_loop(const Loop& loop) override;

  /// Since the run's clock started.
  [[nodiscard]] Seconds elapsed() const { return clock_.elapsed(); }
  /// See Measurement::leaving_messages; on rank 0. Collective.
  [[nodiscard]] std::vector<std::int64_t> most_leaving() const;
  /// What this process has sent in all loops so far.
  [[nodiscard]] const SentBytes& sent() const { return sent_; }

 private:
  static MPI_Op no_operation() { return MPI_OP_NULL; }
  using Operation = Owned<MPI_Op, MPI_Op_free, no_operation>;

  [[nodiscard]] LoopPlace place_of(const Loop& loop) const;
  /// Why not, on all ranks; empty where all came as sent.
  [[nodiscard]] std::string try_method(PatternTransfer& ring, Method method);
  /// The pattern of the loop, by its method.
  PatternTransfer& ready(const Loop& loop);
  [[nodiscard]] LoopTimes agreed(const LoopTimes& mine) const;

  const Plan* plan_;
  const Nodes* nodes_;
  Watchdog* watchdog_;
  bool checks_data_;
  Topologies topologies_;
  MessageBuffers buffers_;
  Datatype times_type_;
  Operation combine_;
  AlltoallvArrays arrays_;
  std::vector<std::unique_ptr<PatternTransfer>> patterns_;  ///< of the plan, made when first needed
  PatternTransfer* ready_ = nullptr;                        ///< the one that has a method
  std::uint64_t loops_ = 0;                                 ///< timed so far
  SentBytes sent_;
  RunClock clock_;  ///< the last: it starts when all else is there
};

}  // namespace beff::b_eff
