#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/pairs/matrix.hpp"
#include "core/pairs/measure.hpp"
#include "core/pairs/plan.hpp"
#include "core/record/result.hpp"
#include "engines/common/counters/counter_watch.hpp"
#include "engines/common/mpi/clock.hpp"
#include "engines/common/mpi/nodes.hpp"
#include "engines/common/watch/watchdog.hpp"
#include "engines/pairs/meeting.hpp"

namespace beff::pairs {

/// The messages of the matrix that this process sends and receives. Each has a place of its own in
/// a block of the buffers; iterations take the blocks in turn. Who is next behind this rank, and
/// begins again at 0, is sent to first, and who is next before it is received from first: so not
/// all begin with rank 0.
class MatrixExchange {
 public:
  /// Of a plan with its matrix; `memory` must outlive the object. Throws std::bad_alloc.
  MatrixExchange(const Plan& plan, const MatrixShare& share, BufferMemory& memory);

  /// Seconds of so many iterations, behind one that does not count and a barrier: who has little to
  /// do must not begin to count while others are still at what does not.
  [[nodiscard]] Seconds time_loop(std::int64_t iterations);
  /// An iteration behind a barrier; of the messages received, notes when they were seen to have
  /// come.
  [[nodiscard]] MatrixLook look();
  /// Compares the first and last byte of every message of the iterations since the last call, of
  /// which a later one has not overwritten them, and spoils them.
  [[nodiscard]] MessageCheck check(std::int64_t iterations);
  /// An iteration that counts nowhere, compared.
  [[nodiscard]] MessageCheck try_once();

  /// In an iteration.
  [[nodiscard]] MovedBytes moved() const;
  /// Bytes sent so far to ranks that `counts`.
  [[nodiscard]] Bytes sent_bytes(const std::function<bool(int rank)>& counts) const;

 private:
  struct Piece {
    int peer;
    int bytes;
    Bytes offset;  ///< in a block
    int number;    ///< among the messages of the two
  };

  /// What MPI_Alltoallv asks for, of each rank.
  struct Counts {
    std::vector<int> counts;
    std::vector<int> offsets;
  };

  [[nodiscard]] std::vector<Piece> pieces(const std::vector<MatrixRow>& rows, bool sent) const;
  [[nodiscard]] Counts counts_of(const std::vector<Piece>& pieces) const;
  void fill();
  void run(std::int64_t iterations);
  void run_nonblocking(std::int64_t iterations);
  void run_alltoallv(std::int64_t iterations);
  void post(const char* send, char* receive);
  /// Where the block of the next iteration begins.
  [[nodiscard]] Bytes next_block();

  MatrixMethod method_;
  int rank_;
  int processes_;
  MatrixBlocks blocks_;
  std::vector<Piece> sends_;
  std::vector<Piece> receives_;
  Buffers buffers_;
  std::vector<MPI_Request> requests_;  ///< those of receives first
  Counts send_counts_;                 ///< of MPI_Alltoallv
  Counts receive_counts_;
  std::int64_t done_ = 0;  ///< iterations
};

/// The processes of MPI_COMM_WORLD. All verbs are collective.
class MpiMachine : public Machine {
 public:
  /// Starts the run's clock. All arguments must outlive the object; `share` is null without a
  /// matrix. Throws std::bad_alloc.
  MpiMachine(const Plan& plan, const Nodes& nodes, BufferMemory& memory, const MatrixShare* share,
             std::optional<Seconds> time_limit, Watchdog& watchdog);

  /// Lets each process send 1 byte, 4 KiB and a large message to a neighbour, by each kind of call
  /// of the plan, and compares what came; `begins` is called before each kind. Returns on all ranks
  /// by what that failed, and why; else nothing.
  [[nodiscard]] std::string try_messages(const std::function<void(std::string_view)>& begins);
  Roofs roofs() override;
  Meeting meet(const Place& place, const std::vector<UnitPair>& pairs, Ways ways) override;
  Meeting cross(const Place& place, const std::vector<UnitPair>& pairs, int processes,
                Traffic traffic) override;
  MatrixLoop send_matrix(const Place& place, std::int64_t length) override;
  MatrixLooks look_at_matrix(const Place& place) override;
  MatrixEnding end_matrix() override;
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
    UnderWay(UnderWay&&) = delete;
    UnderWay& operator=(const UnderWay&) = delete;
    UnderWay& operator=(UnderWay&&) = delete;
    ~UnderWay() { machine_->pairs_.clear(); }

   private:
    MpiMachine* machine_;
  };

  /// What all agree on after a loop or look.
  struct Agreed {
    Seconds slowest;
    Seconds elapsed;
    Stop stop;
  };
  Agreed agreed_after(Seconds mine);

  /// The times of pairs, and what all agree on behind them.
  template <class Times>
  Meeting meeting_of(const Times& times);

  const Plan* plan_;
  const Nodes* nodes_;
  Watchdog* watchdog_;
  Buffers buffers_;
  std::optional<Buffers> network_buffers_;  ///< of bisection and processes per host
  PairMeeting meeting_;
  std::optional<MatrixExchange> matrix_;
  DataCheck check_{};            ///< of this process, of the matrix
  Place place_;                  ///< of the last meeting
  std::vector<UnitPair> pairs_;  ///< of the meeting under way
  RunClock clock_;               ///< the last: it starts when all else is there
};

/// Measures what copying reaches and gathers what each host's system reports; a fraction of a
/// second. The copies go from the send to the receive buffer in blocks of `block` byte, in all
/// processes at the same time; the receive buffer is zero afterwards. Nothing of a simulated
/// machine. Collective over MPI_COMM_WORLD.
Roofs look_at_roofs(const Nodes& nodes, const Buffers& buffers, Bytes block);

}  // namespace beff::pairs
