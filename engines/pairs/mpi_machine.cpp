#include "engines/pairs/mpi_machine.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <set>
#include <thread>
#include <utility>

#include "engines/common/mpi/agree.hpp"
#include "engines/common/mpi/launch.hpp"

namespace beff::pairs {

namespace {

/// A step of Machine::cross().
struct CrossPlace {
  int number = 0;
  int processes = 0;
  Traffic traffic = Traffic::kBothWays;
};

std::string text_of(const CrossPlace& place) {
  return fmt::format("number {}, {}, {}", place.number + 1, counted(place.processes, "process"),
                     to_string(place.traffic));
}

}  // namespace

static std::string text_of(const Place& place) {
  return fmt::format("pass {}, number {}", place.pass + 1, place.round + 1);
}

MpiMachine::MpiMachine(const Plan& plan, const Nodes& nodes, BufferMemory& memory,
                       std::optional<Seconds> time_limit, Watchdog& watchdog)
    : plan_(&plan),
      nodes_(&nodes),
      watchdog_(&watchdog),
      buffers_(memory, plan.large, !kSimulated),
      network_buffers_(plan.message > 0 ? std::optional<Buffers>(std::in_place, memory,
                                                                 plan.message, !kSimulated)
                                        : std::nullopt),
      meeting_(plan, nodes, buffers_, network_buffers_ ? &*network_buffers_ : nullptr, watchdog),
      clock_(time_limit) {
  memory.synchronise();  // what filled them is done before anything is timed
}

namespace {

/// A message to the next rank and one from the one before, by one call or by several.
void pass_on(const Buffers& buffers, int bytes, bool in_one_call) {
  const int size = size_of(MPI_COMM_WORLD);
  const int to = (world_rank() + 1) % size;
  const int from = (world_rank() + size - 1) % size;
  if (in_one_call) {
    MPI_Sendrecv(buffers.send(), bytes, MPI_BYTE, to, 0, buffers.receive(), bytes, MPI_BYTE, from,
                 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return;
  }
  std::array<MPI_Request, 2> requests{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Irecv(buffers.receive(), bytes, MPI_BYTE, from, 0, MPI_COMM_WORLD, requests.data());
  MPI_Isend(buffers.send(), bytes, MPI_BYTE, to, 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
}

}  // namespace

std::string MpiMachine::try_messages(const std::function<void(std::string_view)>& begins) {
  const NotedErrors noted(MPI_COMM_WORLD);
  auto& memory = buffers_.memory();
  for (const bool in_one_call : {true, false}) {
    const std::string_view calls = in_one_call ? "MPI_Sendrecv" : "MPI_Isend and MPI_Irecv";
    begins(calls);
    for (const Bytes bytes : {Bytes{1}, kPage, plan_->large}) {
      const auto step = watchdog_->step("trying messages");
      const char last = in_one_call ? 2 : 3;
      const Ends sent{.first = bytes == 1 ? last : '\1', .last = last};
      write_ends(memory, buffers_.send(), bytes - 1, sent);
      write_ends(memory, buffers_.receive(), bytes - 1, {});
      memory.synchronise();
      pass_on(buffers_, static_cast<int>(bytes), in_one_call);
      auto error = NotedErrors::take();
      if (!error && read_ends(memory, buffers_.receive(), bytes - 1) != sent) {
        error = fmt::format("a message of {} came with wrong data", format_size(bytes));
      }
      watchdog_->note_arrival();
      if (const auto why = first_text(MPI_COMM_WORLD, error); !why.empty()) {
        return fmt::format("{}: {}", calls, why);
      }
    }
  }
  return {};
}

Roofs MpiMachine::roofs() {
  const auto step = watchdog_->step("copying memory");
  return measure_roofs(*nodes_, buffers_, plan_->large);
}

SentBytes MpiMachine::sent() const {
  const auto sent = meeting_.sent_bytes();
  return plan_->unit == PairUnit::kHost ? SentBytes{.leaving = sent} : SentBytes{.inside = sent};
}

template <class Times>
Meeting MpiMachine::meeting_of(const Times& times) {
  Meeting meeting;
  meeting.times = times();
  const auto agreed =
      allreduce(std::array{static_cast<double>(clock_.wish_to_stop()), clock_.elapsed()}, MPI_MAX);
  meeting.stop = static_cast<Stop>(static_cast<int>(agreed[0]));
  meeting.elapsed = agreed[1];
  return meeting;
}

Meeting MpiMachine::meet(const Place& place, const std::vector<UnitPair>& pairs, Ways ways) {
  const UnderWay under_way(*this, place, pairs);
  const auto step = watchdog_->step("a meeting of pairs", place);
  return meeting_of([&] { return meeting_.meet(pairs, ways); });
}

Meeting MpiMachine::cross(const Place& place, const std::vector<UnitPair>& pairs, int processes,
                          Traffic traffic) {
  const UnderWay under_way(*this, place, pairs);
  const CrossPlace where{.number = place.round, .processes = processes, .traffic = traffic};
  auto step = watchdog_->step("the first exchange of a meeting across the network", where);
  const auto crossing = meeting_.begin_cross(pairs, processes, traffic);
  step.done();
  const auto series = watchdog_->step("a meeting across the network", where);
  return meeting_of([&] { return meeting_.cross(pairs, crossing); });
}

void MpiMachine::wait_until(Seconds moment) {
  if (kSimulated) {
    return;
  }
  // Each nap is a step of its own: a wait is no hang, however long. All end it together, since a
  // signal may reach only some, and who goes on alone would seem to wait for the others.
  constexpr Seconds kNap = 1;
  while (true) {
    const auto nap = watchdog_->step("waiting for the next pass");
    const auto [stop, now] = allreduce(
        std::array{static_cast<double>(clock_.wish_to_stop()), clock_.elapsed()}, MPI_MAX);
    if (stop != static_cast<double>(Stop::kNo) || now >= moment) {
      return;
    }
    std::this_thread::sleep_for(std::chrono::duration<double>(std::min(kNap, moment - now)));
  }
}

std::vector<UnitPair> MpiMachine::from_rank_0(std::vector<UnitPair> pairs) {
  static_assert(sizeof(UnitPair) == 2 * sizeof(int));
  const auto step = watchdog_->step("planning retests");
  const int count = beff::from_rank_0(static_cast<int>(pairs.size()));
  pairs.resize(static_cast<std::size_t>(count));
  MPI_Bcast(pairs.data(), 2 * count, MPI_INT, 0, MPI_COMM_WORLD);
  return pairs;
}

NoAnswer MpiMachine::no_answer(const MissingRanks& missing) const {
  NoAnswer hang{.pass = place_.pass, .round = place_.round, .silent = {}, .waiting = {}};
  const auto units_of = [this](const std::vector<int>& ranks) {
    std::set<int> units;
    for (const int rank : ranks) {
      units.insert(meeting_.unit_of(rank));
    }
    return units;
  };
  const auto silent = units_of(missing.silent);
  hang.silent.assign(silent.begin(), silent.end());
  // Who is late may wait for the silent. Where all are late, something else than a pair hangs, such
  // as the barrier before the exchange.
  const bool all_late = std::cmp_equal(missing.late.size(), plan_->processes);
  if (silent.empty() && (!all_late || plan_->units <= 2)) {
    const auto late = units_of(missing.late);
    for (const auto& pair : pairs_) {
      if (late.contains(pair.first) || late.contains(pair.second)) {
        hang.waiting.push_back(pair);
      }
    }
  }
  return hang;
}

}  // namespace beff::pairs
