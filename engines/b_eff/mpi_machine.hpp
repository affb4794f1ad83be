#pragma once

#include <optional>
#include <vector>

#include "core/b_eff/machine.hpp"
#include "core/b_eff/plan.hpp"
#include "engines/b_eff/loop_runner.hpp"
#include "engines/b_eff/message_buffers.hpp"
#include "engines/b_eff/pair_meeting.hpp"
#include "engines/b_eff/pattern_run.hpp"
#include "engines/b_eff/topologies.hpp"
#include "engines/common/watchdog.hpp"

namespace beff::b_eff {

/// Where a step of this machine is, for the reader.
[[nodiscard]] std::string where_is(const Stage& step);

/// The processes of MPI_COMM_WORLD. All verbs are collective.
class MpiMachine : public Machine {
 public:
  /// Starts the run's clock. All arguments must outlive the object; `check` and `accounting` are
  /// kept up to date, check.enabled says whether data is checked. Throws std::bad_alloc.
  MpiMachine(const Plan& plan, const Nodes& nodes, std::optional<Seconds> time_limit,
             DataCheck& check, Accounting& accounting, Watchdog& watchdog);

  Roofs roofs() override;
  void ready(const Sweep& sweep) override;
  LoopReport time_loop(const Loop& loop) override;
  Meeting meet(const std::vector<UnitPair>& pairs) override;
  std::vector<UnitPair> from_rank_0(std::vector<UnitPair> pairs) override;

  /// Since the run's clock started.
  [[nodiscard]] Seconds elapsed() const;

 private:
  [[nodiscard]] Stop wish_to_stop() const;
  [[nodiscard]] Stage step_of(std::string_view name, const Sweep& sweep, int size) const;

  const Plan* plan_;
  const Nodes* nodes_;
  Watchdog* watchdog_;
  std::optional<Seconds> time_limit_;
  Topologies topologies_;
  MessageBuffers buffers_;
  LoopRunner runner_;
  PairMeeting pairs_;
  std::optional<PatternRun> run_;  ///< of the sweep that is ready
  std::size_t pattern_ = 0;        ///< of run_
  Seconds begin_ = 0;
};

}  // namespace beff::b_eff
