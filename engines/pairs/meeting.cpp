#include "engines/pairs/meeting.hpp"

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "engines/common/mpi/clock.hpp"
#include "engines/common/mpi/handles.hpp"
#include "engines/common/mpi/launch.hpp"

namespace beff::pairs {
namespace {

constexpr double kNotMeasured = -1;
constexpr int kNobody = -1;

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
                         Watchdog& watchdog)
    : plan_(&plan),
      nodes_(&nodes),
      buffers_(&buffers),
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

/// The process at this one's place in the other unit; kNobody where it takes no part.
int PairMeeting::partner_rank(const UnitPair& pair) const {
  if (pair.first != unit_ && pair.second != unit_) {
    return kNobody;
  }
  const int partner = pair.first == unit_ ? pair.second : pair.first;
  if (host_of_rank_.empty()) {
    return partner;
  }
  const auto& ranks = ranks_of_.at(static_cast<std::size_t>(partner));
  const bool takes_part =
      std::cmp_less(place_, ranks.size()) && (plan_->per_host == PerHost::kAll || place_ == 0);
  return takes_part ? ranks[static_cast<std::size_t>(place_)] : kNobody;
}

/// Seconds of an exchange, in which this process sends so many bytes: the median of some short
/// series, so that an interruption does not count.
template <class Exchange>
double PairMeeting::median_time(int partner, Bytes sends, const Exchange& exchange) {
  const auto timed = [&](int exchanges) {
    const Seconds begin = run_time();
    for (int i = 0; i < exchanges; ++i) {
      exchange(buffers_->piece(i));
    }
    const Seconds took = run_time() - begin;
    sent_bytes_ += exchanges * sends;
    return took / exchanges;
  };
  static_cast<void>(timed(1));
  const Seconds first = larger_of_both(timed(1), partner);
  if (kSimulated) {
    return first;  // every further one takes the same
  }
  const auto series = series_for(first);
  std::vector<double> times;
  for (int i = 0; i < series.count; ++i) {
    times.push_back(timed(series.exchanges));
  }
  const auto middle = times.begin() + series.count / 2;
  std::ranges::nth_element(times, middle);
  return *middle;
}

double PairMeeting::exchange(int partner, Bytes size) {
  const auto count = static_cast<int>(size);
  return median_time(partner, size, [&](Bytes piece) {
    MPI_Sendrecv(buffers_->send() + piece, count, MPI_BYTE, partner, 0, buffers_->receive() + piece,
                 count, MPI_BYTE, partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  });
}

double PairMeeting::one_way(int partner, bool sends) {
  const auto large = static_cast<int>(plan_->large);
  return median_time(partner, sends ? plan_->large : Plan::kSmall, [&](Bytes piece) {
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
  const auto mine = std::ranges::find_if(
      pairs, [&](const UnitPair& pair) { return partner_rank(pair) != kNobody; });
  MPI_Barrier(MPI_COMM_WORLD);
  if (mine != pairs.end()) {
    const int partner = partner_rank(*mine);
    if (ways == Ways::kBoth) {
      own.small = exchange(partner, Plan::kSmall);
      own.large = exchange(partner, plan_->large);
    } else {
      own.large = one_way(partner, (mine->first == unit_) == (ways == Ways::kThere));
    }
  }
  watchdog_->note_arrival();
  return gather(own, pairs);
}

}  // namespace beff::pairs
