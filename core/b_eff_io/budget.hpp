#pragma once

#include <span>

#include "core/b_eff_io/batch_control.hpp"
#include "core/b_eff_io/plan.hpp"
#include "core/b_eff_io/repetitions.hpp"

namespace beff::b_eff_io {

/// What a partition may write.
struct Room {
  Bytes on_disk = kUnlimited;   ///< of the file system, without the reserve
  Bytes in_bound = kUnlimited;  ///< of the partition's part of Plan::max_data
};

/// `free`: of the file system; `written`: byte that the partition has written so far. The bound is
/// divided by the processes of the partitions, so that no process must know what others have
/// written.
[[nodiscard]] Room room_of(const Plan& plan, int processes, Bytes free, Bytes written);

/// A part of the room.
struct SpaceBudget {
  Bytes bytes = kUnlimited;
  bool by_max_data = false;  ///< the bound is narrower than the disk
};

/// For the timed pattern `pattern` of the initial write: one round of calls, and of what is not
/// needed for one round of each pattern to come its part by U times processes. Of the disk also the
/// later partitions get their part. So a small disk cuts all patterns, not the last ones.
[[nodiscard]] SpaceBudget space_budget(const Plan& plan, std::size_t partition,
                                       const Pattern& pattern, Bytes round, const Room& room);

/// The same for all counted types of the partition together, before the first of them is written.
[[nodiscard]] SpaceBudget space_budget_of_counted(const Plan& plan, std::size_t partition,
                                                  const Room& room);

/// Plans the counted types, from the calls of types 0–2 and the room that there is.
[[nodiscard]] CountedTypes plan_counted(const Plan& plan, std::size_t partition,
                                        std::span<PatternState> patterns, const Room& room);

}  // namespace beff::b_eff_io
