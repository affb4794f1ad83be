#include "engines/pairs/meeting.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "engines/common/counters/counters.hpp"
#include "engines/common/mpi/agree.hpp"
#include "engines/common/mpi/clock.hpp"
#include "engines/common/mpi/handles.hpp"
#include "engines/common/mpi/launch.hpp"

namespace beff::pairs {
namespace {

constexpr double kNotMeasured = -1;
/// Of what ends an exchange in which messages go one way.
constexpr int kAnswerBytes = 1;

/// What both partners see, the larger.
double larger_of_both(double mine, int partner) {
  double others = 0;
  MPI_Sendrecv(&mine, 1, MPI_DOUBLE, partner, 1, &others, 1, MPI_DOUBLE, partner, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  return std::max(mine, others);
}

Nanoseconds nanoseconds(double first, double second) {
  const double slower = std::max(first, second);
  return slower < 0 ? std::nullopt : Nanoseconds(std::llround(slower * kNsPerS));
}

}  // namespace

PairMeeting::PairMeeting(const Plan& plan, const Nodes& nodes, const Buffers& buffers,
                         const Buffers* network_buffers, Watchdog& watchdog)
    : plan_(&plan),
      nodes_(&nodes),
      buffers_(&buffers),
      network_buffers_(network_buffers),
      watchdog_(&watchdog),
      rank_(world_rank()),
      unit_(rank_) {
  if (plan.unit == PairUnit::kProcess) {
    return;
  }
  const int processes = size_of(MPI_COMM_WORLD);
  host_of_rank_ = nodes.placement();
  host_of_rank_.resize(static_cast<std::size_t>(processes));
  MPI_Bcast(host_of_rank_.data(), processes, MPI_INT, 0, MPI_COMM_WORLD);
  ranks_of_.resize(static_cast<std::size_t>(plan.units));
  for (int rank = 0; rank < processes; ++rank) {
    ranks_of_.at(static_cast<std::size_t>(unit_of(rank))).push_back(rank);
  }
  unit_ = unit_of(rank_);
  MPI_Comm_rank(nodes.local(), &place_);
}

int PairMeeting::unit_of(int rank) const {
  return host_of_rank_.empty() ? rank : host_of_rank_.at(static_cast<std::size_t>(rank));
}

std::optional<PairMeeting::Partner> PairMeeting::partner_in(const std::vector<UnitPair>& pairs,
                                                            int processes) const {
  const auto mine = std::ranges::find_if(
      pairs, [&](const UnitPair& pair) { return pair.first == unit_ || pair.second == unit_; });
  if (mine == pairs.end()) {
    return std::nullopt;
  }
  const bool first = mine->first == unit_;
  const int partner = first ? mine->second : mine->first;
  if (host_of_rank_.empty()) {
    return Partner{.rank = partner, .first = first};
  }
  const auto& ranks = ranks_of_.at(static_cast<std::size_t>(partner));
  if (place_ >= processes || std::cmp_greater_equal(place_, ranks.size())) {
    return std::nullopt;
  }
  return Partner{.rank = ranks[static_cast<std::size_t>(place_)], .first = first};
}

// A loop of its own for each kind of exchange and each side, so that nothing is decided in it.
template <class Time>
Seconds PairMeeting::with(const Exchange& exchange, const Time& time) {
  const auto count = static_cast<int>(exchange.bytes);
  const int other = exchange.partner;
  const Buffers& buffers = *exchange.buffers;
  char* const send = buffers.send();
  char* const receive = buffers.receive();
  const auto send_answer = [=] {
    MPI_Send(send, kAnswerBytes, MPI_BYTE, other, 0, MPI_COMM_WORLD);
  };
  const auto receive_answer = [=] {
    MPI_Recv(receive, kAnswerBytes, MPI_BYTE, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  };
  std::array<MPI_Request, kWindow> under_way{};
  switch (exchange.traffic) {
    case Traffic::kBothWays:
      break;
    case Traffic::kOneWay:
      if (exchange.sends) {
        return time(exchange.bytes, [&](int number) {
          MPI_Send(send + buffers.piece(number), count, MPI_BYTE, other, 0, MPI_COMM_WORLD);
          receive_answer();
        });
      }
      return time(kAnswerBytes, [&](int number) {
        MPI_Recv(receive + buffers.piece(number), count, MPI_BYTE, other, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        send_answer();
      });
    case Traffic::kMessages:
      if (exchange.sends) {
        return time(kWindow * kShortBytes, [&](int) {
          for (int i = 0; i < kWindow; ++i) {
            MPI_Isend(send + i * kShortBytes, kShortBytes, MPI_BYTE, other, 0, MPI_COMM_WORLD,
                      &under_way[static_cast<std::size_t>(i)]);
          }
          MPI_Waitall(kWindow, under_way.data(), MPI_STATUSES_IGNORE);
          receive_answer();
        });
      }
      return time(kAnswerBytes, [&](int) {
        for (int i = 0; i < kWindow; ++i) {
          MPI_Irecv(receive + i * kShortBytes, kShortBytes, MPI_BYTE, other, 0, MPI_COMM_WORLD,
                    &under_way[static_cast<std::size_t>(i)]);
        }
        MPI_Waitall(kWindow, under_way.data(), MPI_STATUSES_IGNORE);
        send_answer();
      });
  }
  return time(exchange.bytes, [&](int number) {
    const Bytes piece = buffers.piece(number);
    MPI_Sendrecv(send + piece, count, MPI_BYTE, other, 0, receive + piece, count, MPI_BYTE, other,
                 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  });
}

Seconds PairMeeting::timed(const Exchange& exchange, int exchanges) {
  return with(exchange, [&](Bytes sends, const auto& once) {
    const Seconds begin = run_time();
    for (int i = 0; i < exchanges; ++i) {
      once(i);
    }
    const Seconds took = run_time() - begin;
    sent_bytes_ += exchanges * sends;
    return took / exchanges;
  });
}

Seconds PairMeeting::first_time(const Exchange& exchange) {
  static_cast<void>(timed(exchange, 1));
  return larger_of_both(timed(exchange, 1), exchange.partner);
}

/// The median of some short series, so that an interruption does not count.
Seconds PairMeeting::median_of(const Series& series, const Exchange& exchange) {
  std::vector<Seconds> times;
  for (int i = 0; i < series.count; ++i) {
    times.push_back(timed(exchange, series.exchanges));
  }
  const auto middle = times.begin() + series.count / 2;
  std::ranges::nth_element(times, middle);
  return *middle;
}

Seconds PairMeeting::median_time(const Exchange& exchange) {
  const Seconds first = first_time(exchange);
  if (kSimulated) {
    return first;  // every further one takes the same
  }
  return median_of(series_for(first), exchange);
}

RoundTimes PairMeeting::gather(const OwnTimes& mine, const std::vector<UnitPair>& pairs) const {
  // The leader of a host speaks for it. The numbers of units and of those who speak agree: hosts
  // are numbered in the order of their leaders.
  OwnTimes of_unit = mine;
  if (!host_of_rank_.empty()) {
    MPI_Reduce(&mine, &of_unit, 2, MPI_DOUBLE, MPI_MAX, 0, nodes_->local());
  }
  std::vector<OwnTimes> all(rank_ == 0 ? static_cast<std::size_t>(size_of(MPI_COMM_WORLD)) : 0);
  MPI_Gather(&of_unit, 2, MPI_DOUBLE, all.data(), 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  if (rank_ != 0) {
    return {};
  }
  const auto times_of = [&](int unit) {
    const auto place = static_cast<std::size_t>(unit);
    return all.at(host_of_rank_.empty() ? place
                                        : static_cast<std::size_t>(ranks_of_.at(place).front()));
  };
  RoundTimes times;
  for (const auto& pair : pairs) {
    const auto first = times_of(pair.first);
    const auto second = times_of(pair.second);
    times.push_back({.small = nanoseconds(first.small, second.small),
                     .large = nanoseconds(first.large, second.large)});
  }
  return times;
}

RoundTimes PairMeeting::meet(const std::vector<UnitPair>& pairs, Ways ways) {
  OwnTimes mine{.small = kNotMeasured, .large = kNotMeasured};
  constexpr int kEvery = std::numeric_limits<int>::max();
  const auto partner = partner_in(pairs, plan_->map_per_host == MapPerHost::kAll ? kEvery : 1);
  MPI_Barrier(MPI_COMM_WORLD);
  if (partner) {
    Exchange exchange{.partner = partner->rank, .bytes = Plan::kSmall, .buffers = buffers_};
    if (ways == Ways::kBoth) {
      mine.small = median_time(exchange);
    } else {
      exchange.traffic = Traffic::kOneWay;
      exchange.sends = partner->first == (ways == Ways::kThere);
    }
    exchange.bytes = plan_->large;
    mine.large = median_time(exchange);
  }
  watchdog_->note_arrival();
  return gather(mine, pairs);
}

Crossing PairMeeting::begin_cross(const std::vector<UnitPair>& pairs, int processes,
                                  Traffic traffic) {
  Crossing crossing;
  const auto partner = partner_in(pairs, processes);
  MPI_Barrier(MPI_COMM_WORLD);
  if (partner) {
    crossing.exchange = Exchange{.partner = partner->rank,
                                 .traffic = traffic,
                                 .sends = partner->first,
                                 .bytes = plan_->message,
                                 .buffers = network_buffers_};
    crossing.first = first_time(*crossing.exchange);
  }
  watchdog_->note_arrival();
  crossing.slowest = allreduce(crossing.first, MPI_MAX);
  return crossing;
}

RoundTimes PairMeeting::cross(const std::vector<UnitPair>& pairs, const Crossing& crossing) {
  OwnTimes mine{.small = kNotMeasured, .large = kNotMeasured};
  if (crossing.exchange) {
    auto series = series_beside(crossing.first, crossing.slowest);
    if (kSimulated) {
      series.count = 1;  // every further one takes the same
    }
    mine.large = median_of(series, *crossing.exchange);
  }
  watchdog_->note_arrival();
  return gather(mine, pairs);
}

namespace {

constexpr Seconds kPass = 0.01;

/// Copies block after block for the time of a pass; byte per second.
double copy_for_a_pass(const Buffers& buffers, Bytes block) {
  Bytes offset = 0;
  Bytes copied = 0;
  const Seconds begin = run_time();
  double took = 0;
  while (took < kPass) {
    std::memcpy(buffers.receive() + offset, buffers.send() + offset,
                static_cast<std::size_t>(block));
    copied += block;
    offset = offset + 2 * block <= buffers.bytes() ? offset + block : 0;
    took = run_time() - begin;
  }
  return static_cast<double>(copied) / took;
}

/// The slowest process's rate in the best pass, in MB/s: what all reach at the same time.
double copy_MBps(const Buffers& buffers, Bytes block) {
  double best = 0;
  double left = kCopiesTake;
  while (left > 0) {
    MPI_Barrier(MPI_COMM_WORLD);
    const Seconds begin = run_time();
    const double mine = copy_for_a_pass(buffers, block);
    best = std::max(best, allreduce(mine, MPI_MIN));
    left = from_rank_0(left - (run_time() - begin));
  }
  std::memset(buffers.receive(), 0, static_cast<std::size_t>(buffers.bytes()));
  return best / kBytesPerMB;
}

}  // namespace

Roofs measure_roofs(const Nodes& nodes, const Buffers& buffers, Bytes block) {
  if (kSimulated) {
    return {};
  }
  Roofs roofs;
  const Seconds begin = run_time();
  if (buffers.memory().is_of_host()) {
    roofs.copy_MBps_per_process = copy_MBps(buffers, block);
  }
  roofs.of_hosts =
      gather_records(nodes.is_leader() ? std::optional(read_host_hardware("/sys")) : std::nullopt);
  roofs.took = run_time() - begin;
  return roofs;
}

}  // namespace beff::pairs
