#include "engines/b_eff/pair_meeting.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "engines/b_eff/transfer.hpp"
#include "engines/common/clock.hpp"
#include "engines/common/communicator.hpp"

namespace beff::b_eff {
namespace {

constexpr double kNotMeasured = -1;

double timed(Transfer& transfer, int exchanges) {
  const Seconds begin = run_time();
  transfer.run(0, exchanges);
  return (run_time() - begin) / exchanges;
}

/// What both partners see, the larger.
double larger_of_both(double mine, int partner) {
  double others = 0;
  MPI_Sendrecv(&mine, 1, MPI_DOUBLE, partner, 1, &others, 1, MPI_DOUBLE, partner, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  return std::max(mine, others);
}

std::optional<std::int64_t> nanoseconds(double first, double second) {
  constexpr double kNsPerS = 1e9;
  const double slower = std::max(first, second);
  return slower < 0 ? std::nullopt : std::optional<std::int64_t>(std::llround(slower * kNsPerS));
}

}  // namespace

PairMeeting::PairMeeting(const PairPlan& plan, const Nodes& nodes, const MessageBuffers& buffers)
    : plan_(&plan), nodes_(&nodes), buffers_(&buffers), rank_(world_rank()), unit_(rank_) {
  if (!plan.any() || plan.unit == PairUnit::kProcess) {
    return;
  }
  int processes = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  host_of_rank_ = nodes.placement();
  host_of_rank_.resize(static_cast<std::size_t>(processes));
  MPI_Bcast(host_of_rank_.data(), processes, MPI_INT, 0, MPI_COMM_WORLD);
  unit_ = host_of_rank_.at(static_cast<std::size_t>(rank_));
  MPI_Comm_rank(nodes.local(), &place_);
}

/// The process at this one's place there; kNoPeer where there are fewer.
int PairMeeting::rank_on(int host) const {
  int place = 0;
  for (std::size_t rank = 0; rank < host_of_rank_.size(); ++rank) {
    if (host_of_rank_[rank] == host && place++ == place_) {
      return static_cast<int>(rank);
    }
  }
  return kNoPeer;
}

int PairMeeting::partner_rank(const std::vector<UnitPair>& pairs) const {
  for (const auto& [first, second] : pairs) {
    if (first == unit_ || second == unit_) {
      const int partner = first == unit_ ? second : first;
      return host_of_rank_.empty() ? partner : rank_on(partner);
    }
  }
  return kNoPeer;
}

/// Seconds of an exchange: the median of some short series, so that an interruption does not count.
double PairMeeting::exchange(int partner, Bytes size) {
  const std::array steps{Step{.send_to = partner, .receive_from = partner}};
  const auto transfer = make_transfer(
      Method::kSendrecv, {.communicator = MPI_COMM_WORLD, .steps = steps, .buffers = buffers_});
  transfer->prepare(size, number_);
  transfer->run(0, 1);
  const auto series = series_for(larger_of_both(timed(*transfer, 1), partner));
  std::vector<double> times;
  for (int i = 0; i < series.count; ++i) {
    times.push_back(timed(*transfer, series.exchanges));
  }
  const auto middle = times.begin() + series.count / 2;
  std::ranges::nth_element(times, middle);
  return *middle;
}

std::vector<PairTimes> PairMeeting::gather(const OwnTimes& own,
                                           const std::vector<UnitPair>& pairs) const {
  // The leader of a host speaks for it. The numbers of units and of those who speak agree: hosts
  // are numbered in the order of their leaders.
  OwnTimes of_unit = own;
  const bool of_hosts = !host_of_rank_.empty();
  if (of_hosts) {
    MPI_Reduce(&own, &of_unit, 2, MPI_DOUBLE, MPI_MAX, 0, nodes_->local());
  }
  int processes = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  std::vector<OwnTimes> all(rank_ == 0 ? static_cast<std::size_t>(processes) : 0);
  MPI_Gather(&of_unit, 2, MPI_DOUBLE, all.data(), 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  if (rank_ != 0) {
    return {};
  }
  if (of_hosts) {
    std::vector<OwnTimes> of_hosts_in_order;
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
      if (std::cmp_equal(host_of_rank_[rank], of_hosts_in_order.size())) {
        of_hosts_in_order.push_back(all[rank]);
      }
    }
    all = std::move(of_hosts_in_order);
  }
  std::vector<PairTimes> times;
  for (const auto& pair : pairs) {
    const auto& first = all.at(static_cast<std::size_t>(pair.first));
    const auto& second = all.at(static_cast<std::size_t>(pair.second));
    times.push_back({.small_ns = nanoseconds(first.small, second.small),
                     .large_ns = nanoseconds(first.large, second.large)});
  }
  return times;
}

Meeting PairMeeting::meet(const std::vector<UnitPair>& pairs) {
  OwnTimes own{.small = kNotMeasured, .large = kNotMeasured};
  const int partner = partner_rank(pairs);
  MPI_Barrier(MPI_COMM_WORLD);
  const Seconds begin = run_time();
  ++number_;
  if (partner != kNoPeer) {
    own.small = exchange(partner, PairPlan::kSmall);
    own.large = exchange(partner, plan_->large);
  }
  Meeting meeting;
  meeting.times = gather(own, pairs);
  meeting.took = run_time() - begin;
  return meeting;
}

}  // namespace beff::b_eff
