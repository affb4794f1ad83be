#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/pairs/measure.hpp"
#include "core/pairs/plan.hpp"
#include "core/record/result.hpp"
#include "engines/common/counters/counters.hpp"
#include "engines/common/mpi/clock.hpp"
#include "engines/common/mpi/nodes.hpp"
#include "engines/common/run/program.hpp"
#include "engines/common/watch/watchdog.hpp"
#include "engines/pairs/meeting.hpp"

namespace beff::pairs {

struct Options : CommonOptions {
  PlanRequest request;  ///< without what planned() adds
  std::string halves;   ///< file; empty: none
};

/// Reads the command line. Throws UsageError with one sentence.
Options parse_options(int argc, char** argv);

/// The plan of these options with these resources, of which a host has at least `fewest_per_host`
/// processes; `first_half` is what the file of halves names. Throws UsageError.
[[nodiscard]] Plan planned(const Options& options, const Resources& resources, int fewest_per_host,
                           const std::vector<int>& first_half);

/// The units that a file names, one a line, of those with these names; blank lines and what follows
/// `#` do not count. Throws UsageError where it cannot be read, or names none, or another.
[[nodiscard]] std::vector<int> units_in(const std::string& file,
                                        const std::vector<std::string>& names);

/// The lines of such a file. Throws UsageError.
[[nodiscard]] std::vector<std::string> names_in(const std::string& file);

/// The processes of MPI_COMM_WORLD. All verbs are collective.
class MpiMachine : public Machine {
 public:
  /// Starts the run's clock. All arguments must outlive the object. Throws std::bad_alloc.
  MpiMachine(const Plan& plan, const Nodes& nodes, BufferMemory& memory,
             std::optional<Seconds> time_limit, Watchdog& watchdog);

  /// Lets each process send 1 byte, 4 KiB and a large message to a neighbour, by each kind of call
  /// of the plan, and compares what came; `begins` is called before each kind. Returns on all ranks
  /// by what that failed, and why; else nothing.
  [[nodiscard]] std::string try_messages(const std::function<void(std::string_view)>& begins);
  Roofs roofs() override;
  Meeting meet(const Place& place, const std::vector<UnitPair>& pairs, Ways ways) override;
  Meeting cross(const Place& place, const std::vector<UnitPair>& pairs, int processes,
                Traffic traffic) override;
  void wait_until(Seconds moment) override;
  std::vector<UnitPair> from_rank_0(std::vector<UnitPair> pairs) override;

  /// What this process has sent so far.
  [[nodiscard]] SentBytes sent() const;
  /// What did not answer, by the ranks that the watchdog misses in the meeting under way. Makes no
  /// MPI call.
  [[nodiscard]] NoAnswer no_answer(const MissingRanks& missing) const;

 private:
  /// Keeps the meeting under way for no_answer(), until the end of the scope.
  class UnderWay {
   public:
    UnderWay(MpiMachine& machine, const Place& place, const std::vector<UnitPair>& pairs)
        : machine_(&machine) {
      machine.place_ = place;
      machine.pairs_ = pairs;
    }
    UnderWay(const UnderWay&) = delete;
    UnderWay& operator=(const UnderWay&) = delete;
    ~UnderWay() { machine_->pairs_.clear(); }

   private:
    MpiMachine* machine_;
  };

  /// The times of pairs, and what all agree on behind them.
  template <class Times>
  Meeting meeting_of(const Times& times);

  const Plan* plan_;
  const Nodes* nodes_;
  Watchdog* watchdog_;
  Buffers buffers_;
  std::optional<Buffers> network_buffers_;  ///< of bisection and processes per host
  PairMeeting meeting_;
  Place place_;                  ///< of the last meeting
  std::vector<UnitPair> pairs_;  ///< of the meeting under way
  RunClock clock_;               ///< the last: it starts when all else is there
};

}  // namespace beff::pairs
