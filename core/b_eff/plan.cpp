#include "core/b_eff/plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <ranges>

#include "core/plan_error.hpp"

namespace beff::b_eff {
namespace {

std::vector<Method> official_methods() {
  std::vector<Method> methods;
  for (const auto& entry : kMethods) {
    if (entry.official) {
      methods.push_back(entry.method);
    }
  }
  return methods;
}

void keep_only(std::vector<Pattern>& patterns, const std::vector<int>& ids, int processes) {
  for (const int id : ids) {
    if (std::ranges::find(patterns, id, &Pattern::id) == patterns.end()) {
      throw PlanError(
          "patterns",
          fmt::format(
              "{}: {} processes have no such pattern (--plan lists those they have); leave it out",
              id, processes));
    }
  }
  std::erase_if(patterns, [&](const Pattern& pattern) {
    return std::ranges::find(ids, pattern.id) == ids.end();
  });
}

int count_averaged(const Plan& plan) {
  return static_cast<int>(std::ranges::count_if(
      plan.patterns, [&](const Pattern& pattern) { return pattern.enters(plan.definition); }));
}

}  // namespace

Plan make_plan(const PlanRequest& request) {
  Plan plan(request);
  plan.sizes = message_sizes(largest_message(request.memory_per_process));
  plan.patterns = make_patterns(request.processes, request.seed);
  if (plan.methods.empty()) {
    plan.methods = official_methods();
  }
  plan.existing_patterns = static_cast<int>(plan.patterns.size());
  plan.averaged_patterns = count_averaged(plan);
  if (plan.size_indices.empty()) {
    plan.size_indices.resize(kMessageSizes);
    std::iota(plan.size_indices.begin(), plan.size_indices.end(), 0);
  }
  if (!request.pattern_ids.empty()) {
    keep_only(plan.patterns, request.pattern_ids, request.processes);
  }
  if (planned_loops(plan) == 0) {
    const auto names = plan.methods | std::views::transform([](Method m) { return row(m).name; });
    throw PlanError("methods", fmt::format("{}: none of the patterns can be measured so; name "
                                           "other methods or patterns",
                                           fmt::join(names, ",")));
  }
  return plan;
}

std::int64_t loops_of_repetition(const Plan& plan, const Pattern& pattern) {
  const auto methods =
      std::ranges::count_if(plan.methods, [&](Method m) { return pattern.has_method(m); });
  return methods * static_cast<std::int64_t>(plan.size_indices.size());
}

std::int64_t planned_loops(const Plan& plan) {
  std::int64_t loops = 0;
  for (const auto& pattern : plan.patterns) {
    loops += loops_of_repetition(plan, pattern);
  }
  return loops * plan.repetitions;
}

Seconds expected_time(const Plan& plan) {
  constexpr double kWarmUpAndBarriers = 1.1;  // seen at 2 processes on shared memory
  const Seconds loop = (plan.loop_time.shortest + plan.loop_time.longest()) / 2;
  return kWarmUpAndBarriers * loop * static_cast<double>(planned_loops(plan));
}

}  // namespace beff::b_eff
