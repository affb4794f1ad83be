#include "engines/pairs/meeting.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "engines/common/mpi/agree.hpp"
#include "engines/common/mpi/clock.hpp"
#include "engines/common/mpi/handles.hpp"
#include "engines/common/mpi/launch.hpp"

namespace beff::pairs {
namespace {

constexpr double kNotMeasured = -1;

/// What both partners see, the larger.
double larger_of_both(double mine, int partner) {
  double others = 0;
  MPI_Sendrecv(&mine, 1, MPI_DOUBLE, partner, 1, &others, 1, MPI_DOUBLE, partner, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  return std::max(mine, others);
}

Nanoseconds nanoseconds(double first, double second) {
  constexpr double kNsPerS = 1e9;
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

template <class Exchange>
double PairMeeting::timed(int exchanges, Bytes sends, const Exchange& exchange) {
  const Seconds begin = run_time();
  for (int i = 0; i < exchanges; ++i) {
    exchange(i);
  }
  const Seconds took = run_time() - begin;
  sent_bytes_ += exchanges * sends;
  return took / exchanges;
}

/// The median of some short series, so that an interruption does not count.
template <class Exchange>
double PairMeeting::median_of(const Series& series, Bytes sends, const Exchange& exchange) {
  std::vector<double> times;
  for (int i = 0; i < series.count; ++i) {
    times.push_back(timed(series.exchanges, sends, exchange));
  }
  const auto middle = times.begin() + series.count / 2;
  std::ranges::nth_element(times, middle);
  return *middle;
}

template <class Exchange>
double PairMeeting::median_time(int partner, Bytes sends, const Exchange& exchange) {
  static_cast<void>(timed(1, sends, exchange));
  const Seconds first = larger_of_both(timed(1, sends, exchange), partner);
  if (kSimulated) {
    return first;  // every further one takes the same
  }
  return median_of(series_for(first), sends, exchange);
}

template <class Exchange>
double PairMeeting::median_beside(const std::optional<Partner>& partner, Bytes sends,
                                  const Exchange& exchange) {
  Seconds first = 0;
  if (partner) {
    static_cast<void>(timed(1, sends, exchange));
    first = larger_of_both(timed(1, sends, exchange), partner->rank);
  }
  const Seconds slowest = allreduce(first, MPI_MAX);
  if (!partner) {
    return kNotMeasured;
  }
  auto series = series_beside(first, slowest);
  if (kSimulated) {
    series.count = 1;  // every further one takes the same
  }
  return median_of(series, sends, exchange);
}

double PairMeeting::exchange(int partner, Bytes size) {
  const auto count = static_cast<int>(size);
  return median_time(partner, size, [&](int number) {
    const Bytes piece = buffers_->piece(number);
    MPI_Sendrecv(buffers_->send() + piece, count, MPI_BYTE, partner, 0, buffers_->receive() + piece,
                 count, MPI_BYTE, partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  });
}

double PairMeeting::one_way(int partner, bool sends) {
  const auto large = static_cast<int>(plan_->large);
  return median_time(partner, sends ? plan_->large : Plan::kSmall, [&](int number) {
    const Bytes piece = buffers_->piece(number);
    if (sends) {
      MPI_Send(buffers_->send() + piece, large, MPI_BYTE, partner, 0, MPI_COMM_WORLD);
      MPI_Recv(buffers_->receive(), 1, MPI_BYTE, partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      MPI_Recv(buffers_->receive() + piece, large, MPI_BYTE, partner, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
      MPI_Send(buffers_->send(), 1, MPI_BYTE, partner, 0, MPI_COMM_WORLD);
    }
  });
}

RoundTimes PairMeeting::gather(const OwnTimes& own, const std::vector<UnitPair>& pairs) const {
  // The leader of a host speaks for it. The numbers of units and of those who speak agree: hosts
  // are numbered in the order of their leaders.
  OwnTimes of_unit = own;
  if (!host_of_rank_.empty()) {
    MPI_Reduce(&own, &of_unit, 2, MPI_DOUBLE, MPI_MAX, 0, nodes_->local());
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
  OwnTimes own{.small = kNotMeasured, .large = kNotMeasured};
  constexpr int kEvery = std::numeric_limits<int>::max();
  const auto partner = partner_in(pairs, plan_->map_per_host == MapPerHost::kAll ? kEvery : 1);
  MPI_Barrier(MPI_COMM_WORLD);
  if (partner) {
    if (ways == Ways::kBoth) {
      own.small = exchange(partner->rank, Plan::kSmall);
      own.large = exchange(partner->rank, plan_->large);
    } else {
      own.large = one_way(partner->rank, partner->first == (ways == Ways::kThere));
    }
  }
  watchdog_->note_arrival();
  return gather(own, pairs);
}

RoundTimes PairMeeting::cross(const std::vector<UnitPair>& pairs, int processes, Traffic traffic) {
  const auto partner = partner_in(pairs, processes);
  const int other = partner ? partner->rank : MPI_PROC_NULL;
  const bool sends = partner && partner->first;
  const auto count = static_cast<int>(plan_->message);
  char* const send = network_buffers_->send();
  char* const receive = network_buffers_->receive();
  const auto answer = [&] {
    if (sends) {
      MPI_Recv(receive, 1, MPI_BYTE, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      MPI_Send(send, 1, MPI_BYTE, other, 0, MPI_COMM_WORLD);
    }
  };
  OwnTimes own{.small = kNotMeasured, .large = kNotMeasured};
  MPI_Barrier(MPI_COMM_WORLD);
  switch (traffic) {
    case Traffic::kBothWays:
      own.large = median_beside(partner, plan_->message, [&](int number) {
        const Bytes piece = network_buffers_->piece(number);
        MPI_Sendrecv(send + piece, count, MPI_BYTE, other, 0, receive + piece, count, MPI_BYTE,
                     other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      });
      break;
    case Traffic::kOneWay:
      own.large = median_beside(partner, sends ? plan_->message : 1, [&](int number) {
        const Bytes piece = network_buffers_->piece(number);
        if (sends) {
          MPI_Send(send + piece, count, MPI_BYTE, other, 0, MPI_COMM_WORLD);
        } else {
          MPI_Recv(receive + piece, count, MPI_BYTE, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        answer();
      });
      break;
    case Traffic::kMessages: {
      std::array<MPI_Request, kWindow> under_way{};
      own.large = median_beside(partner, sends ? kWindow * kShortBytes : 1, [&](int) {
        for (int i = 0; i < kWindow; ++i) {
          const Bytes place = i * kShortBytes;
          auto* const request = &under_way[static_cast<std::size_t>(i)];
          if (sends) {
            MPI_Isend(send + place, kShortBytes, MPI_BYTE, other, 0, MPI_COMM_WORLD, request);
          } else {
            MPI_Irecv(receive + place, kShortBytes, MPI_BYTE, other, 0, MPI_COMM_WORLD, request);
          }
        }
        MPI_Waitall(kWindow, under_way.data(), MPI_STATUSES_IGNORE);
        answer();
      });
      break;
    }
  }
  watchdog_->note_arrival();
  return gather(own, pairs);
}

}  // namespace beff::pairs
