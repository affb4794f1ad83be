// How much time and space the schedule allows a pattern, and how many calls the counted types make.
#include <algorithm>

#include "core/b_eff_io/schedule.hpp"

namespace beff::b_eff_io {

/// Calls that the pattern shall make; 0 where time decides.
std::int64_t Schedule::calls_expected() const {
  if (access() != Access::kWrite) {
    return written().calls;
  }
  if (pattern().kind != Kind::kTimed) {
    return 1;
  }
  return row(type()).counted ? written().reserved : 0;
}

BatchLimits Schedule::limits(Seconds pattern_start) const {
  BatchLimits limits;
  limits.once = pattern().kind != Kind::kTimed;
  const auto expected = calls_expected();
  if (expected > 0) {
    limits.count = expected;
  } else {
    limits.time = time_of_pattern(pattern_start);
  }
  if (access() != Access::kRead) {
    limits.sync_per_round = state().sync_cost.of(written().placement.bytes_per_round());
  }
  if (access() == Access::kWrite) {
    limits.bytes_per_round = written().placement.bytes_per_round();
    limits.reserve = plan_->reserve;
    limits.allowance = running_.share;
    limits.allowance_reason =
        running_.share_by_max_data ? StopReason::kMaxData : StopReason::kSpace;
  }
  return limits;
}

Seconds Schedule::time_of_pattern(Seconds pattern_start) const {
  int to_come = 0;
  Seconds counted = 0;
  for (std::size_t t = 0; t < plan_->types.size(); ++t) {
    for (std::size_t p = 0; p < patterns_.at(t).size(); ++p) {
      const auto& other = patterns_[t][p];
      if (row(other.type).counted) {
        counted += ideal_time(*plan_, other);
      } else if (t > type_ || (t == type_ && p >= pattern_)) {
        to_come += other.units;
      }
    }
  }
  const Seconds left = std::max(0.0, block_end_ - counted - pattern_start);
  return to_come > 0 ? left * pattern().units / to_come : 0;
}

// -----------------------------------------------------------------------------------------

Schedule::ToWrite Schedule::to_write(bool counted_only, bool later_partitions) const {
  ToWrite sum;
  for (std::size_t t = 0; t < plan_->types.size(); ++t) {
    for (std::size_t p = 0; p < patterns_.at(t).size(); ++p) {
      const bool to_come = t > type_ || (t == type_ && p >= pattern_);
      if (to_come && (!counted_only || row(plan_->types[t]).counted)) {
        const auto& other = patterns_[t][p];
        sum.smallest +=
            processes() * (other.kind == Kind::kFillUp ? plan_->segment_unit : other.memory);
        sum.units += processes() * other.units;
      }
    }
  }
  for (std::size_t q = partition_ + 1; later_partitions && q < plan_->partitions.size(); ++q) {
    sum.smallest += smallest_data(*plan_, plan_->partitions[q]);
    for (const Type t : plan_->types) {
      sum.units += plan_->partitions[q] * units_of(t);
    }
  }
  return sum;
}

Bytes Schedule::room_on_disk() const {
  return free_ == kUnlimited ? kUnlimited : std::max<Bytes>(0, free_ - plan_->reserve);
}

Bytes Schedule::room_in_bound() const {
  if (!plan_->max_data) {
    return kUnlimited;
  }
  // Each partition has a part by its processes, so that no process must know what others have
  // written.
  Bytes processes_of_all = 0;
  for (const int n : plan_->partitions) {
    processes_of_all += n;
  }
  const double part =
      static_cast<double>(*plan_->max_data) * processes() / static_cast<double>(processes_of_all);
  return std::max<Bytes>(0, static_cast<Bytes>(part) - state().data);
}

/// What is needed at least, and of the rest a part by U.
Schedule::Share Schedule::share_of_room(int units, Bytes smallest, bool counted_only) const {
  const auto share = [&](Bytes room, const ToWrite& all) {
    if (room == kUnlimited) {
      return kUnlimited;
    }
    const auto spare = static_cast<double>(std::max<Bytes>(0, room - all.smallest));
    return smallest + static_cast<Bytes>(spare * units / std::max(1, all.units));
  };
  const Bytes by_space = share(room_on_disk(), to_write(false, true));
  const Bytes by_bound = share(room_in_bound(), to_write(counted_only, false));
  return {std::min(by_space, by_bound), by_bound < by_space};
}

void Schedule::plan_counted() {
  pattern_ = 0;
  std::vector<MeasuredCalls> calls;
  for (std::size_t t = 0; t < plan_->types.size(); ++t) {
    for (std::size_t p = 0; p < patterns_.at(t).size(); ++p) {
      const auto& done = state().types.at(t).written.at(p);
      if (done.usable) {
        calls.push_back({patterns_[t][p].number, done.calls});
      }
    }
  }
  const auto counted = to_write(true, false);
  const auto share = share_of_room(counted.units, counted.smallest, true);
  notes_.at(partition_).counted = plan_counted_types(
      plan_->patterns, calls,
      {.unit = plan_->segment_unit,
       .max_segment = plan_->max_segment,
       .per_process = share.bytes == kUnlimited ? kUnlimited : share.bytes / processes(),
       .per_process_reason = share.by_max_data ? SegmentCut::kMaxData : SegmentCut::kSpace});
  state().counted_planned = true;
}

}  // namespace beff::b_eff_io
