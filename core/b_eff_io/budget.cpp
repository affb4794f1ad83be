#include "core/b_eff_io/budget.hpp"

#include <algorithm>

namespace beff::b_eff_io {
namespace {

/// What is still to be written.
struct ToWrite {
  int time_units = 0;  ///< ΣU, each times the processes of its partition
  Bytes smallest = 0;  ///< one call per pattern
};

bool is_counted(const Pattern& pattern) { return row(pattern.type).counted; }

/// By a partition's patterns that `selects` selects.
template <class Selects>
ToWrite to_write(const Plan& plan, int processes, Selects&& selects) {
  ToWrite sum;
  for (const auto& pattern : plan.patterns) {
    if (selects(pattern)) {
      sum.smallest +=
          processes * (pattern.kind == Kind::kFillUp ? plan.unit_of_segments() : pattern.memory);
      sum.time_units += processes * pattern.time_units;
    }
  }
  return sum;
}

/// And by all patterns of the partitions behind `partition`.
ToWrite with_later_partitions(const Plan& plan, std::size_t partition, ToWrite sum) {
  for (std::size_t later = partition + 1; later < plan.partitions.size(); ++later) {
    sum.smallest += smallest_data(plan, plan.partitions[later]);
    for (const Type type : plan.types) {
      sum.time_units += plan.partitions[later] * time_units_of(type);
    }
  }
  return sum;
}

/// What `part` needs at least, and of what `all` does not need its part by U.
Bytes share(Bytes room, const ToWrite& part, const ToWrite& all) {
  if (room == kUnlimited) {
    return kUnlimited;
  }
  const auto spare = static_cast<double>(std::max<Bytes>(0, room - all.smallest));
  return part.smallest + static_cast<Bytes>(spare * part.time_units / std::max(1, all.time_units));
}

SpaceBudget narrower(Bytes by_space, Bytes by_bound) {
  return {.bytes = std::min(by_space, by_bound), .by_max_data = by_bound < by_space};
}

}  // namespace

Room room_of(const Plan& plan, int processes, Bytes free, Bytes written) {
  Room room;
  if (free != kUnlimited) {
    room.on_disk = std::max<Bytes>(0, free - plan.reserve);
  }
  if (plan.max_data) {
    Bytes processes_of_all = 0;
    for (const int n : plan.partitions) {
      processes_of_all += n;
    }
    const double part =
        static_cast<double>(*plan.max_data) * processes / static_cast<double>(processes_of_all);
    room.in_bound = std::max<Bytes>(0, static_cast<Bytes>(part) - written);
  }
  return room;
}

SpaceBudget space_budget(const Plan& plan, std::size_t partition, const Pattern& pattern,
                         Bytes round, const Room& room) {
  const int processes = plan.partitions.at(partition);
  const ToWrite mine{.time_units = processes * pattern.time_units, .smallest = round};
  const auto to_come = to_write(
      plan, processes, [&](const Pattern& other) { return other.number >= pattern.number; });
  return narrower(share(room.on_disk, mine, with_later_partitions(plan, partition, to_come)),
                  share(room.in_bound, mine, to_come));
}

SpaceBudget space_budget_of_counted(const Plan& plan, std::size_t partition, const Room& room) {
  const auto counted = to_write(plan, plan.partitions.at(partition), is_counted);
  return narrower(share(room.on_disk, counted, with_later_partitions(plan, partition, counted)),
                  share(room.in_bound, counted, counted));
}

CountedTypes plan_counted(const Plan& plan, std::size_t partition, std::span<PatternState> patterns,
                          const Room& room) {
  const auto budget = space_budget_of_counted(plan, partition, room);
  return plan_counted_types(
      patterns,
      {.unit = plan.unit_of_segments(),
       .max_segment = plan.max_segment,
       .per_process =
           budget.bytes == kUnlimited ? kUnlimited : budget.bytes / plan.partitions.at(partition),
       .per_process_reason = budget.by_max_data ? SegmentCut::kMaxData : SegmentCut::kSpace});
}

}  // namespace beff::b_eff_io
