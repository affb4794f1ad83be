#include "core/b_eff/plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <ranges>

#include "core/benchmark.hpp"

namespace beff::b_eff {
namespace {

/// Neighbours among all 21 sizes differ by less; a choice of sizes may leave a gap.
constexpr Bytes kLargestStep = 4;
/// What one process may move at most across a gap, in byte/s.
constexpr double kRateAcrossGap = 1e10;

Seconds expected_iteration(const std::optional<IterationTime>& before_last,
                           const IterationTime& last, Bytes next_size) {
  const Seconds at_most =
      last.seconds * static_cast<double>(next_size) / static_cast<double>(last.size);
  const bool gap = next_size > kLargestStep * last.size;
  const Seconds by_bytes = gap ? static_cast<double>(next_size) / kRateAcrossGap : 0;
  const Seconds at_least = std::max(last.seconds, std::min(by_bytes, at_most));
  if (!before_last || before_last->size == last.size) {
    return at_least;
  }
  const double slope =
      (last.seconds - before_last->seconds) / static_cast<double>(last.size - before_last->size);
  const Seconds on_the_line = last.seconds + slope * static_cast<double>(next_size - last.size);
  return std::clamp(on_the_line, at_least, std::max(at_least, at_most));
}

}  // namespace

Bytes largest_message(Bytes memory_per_process) {
  const Bytes lmax = std::min(memory_per_process / kMemoryToLmax, kLmaxBound);
  if (lmax <= kLargestFixedSize) {
    throw PlanError("memory-per-process",
                    fmt::format("{}: gives L_max = memory / 128 = {} byte, which must exceed 4096 "
                                "byte; b_eff needs more than 512 KiB of memory per process",
                                format_size(memory_per_process), lmax));
  }
  return lmax;
}

std::array<Bytes, kMessageSizes> message_sizes(Bytes lmax) {
  constexpr int kSteps = kMessageSizes - kFixedSizes;
  std::array<Bytes, kMessageSizes> sizes{};
  for (int i = 0; i < kFixedSizes; ++i) {
    sizes.at(static_cast<std::size_t>(i)) = Bytes{1} << i;
  }
  const double ratio = static_cast<double>(lmax) / static_cast<double>(kLargestFixedSize);
  for (int k = 1; k < kSteps; ++k) {
    const double exact =
        static_cast<double>(kLargestFixedSize) * std::pow(ratio, static_cast<double>(k) / kSteps);
    constexpr std::size_t kBefore = kFixedSizes - 1;
    sizes.at(kBefore + static_cast<std::size_t>(k)) = std::llround(exact);
  }
  sizes.back() = lmax;
  return sizes;
}

std::int64_t next_loop_length(const LoopTime& window,
                              const std::optional<IterationTime>& before_last,
                              const IterationTime& last, Bytes next_size) {
  const Seconds target = std::sqrt(window.shortest * window.longest());
  const Seconds iteration = expected_iteration(before_last, last, next_size);
  // A clock too coarse to see one iteration gives 0: bound the length instead of dividing by it.
  constexpr Seconds kFastestIteration = 1e-9;
  return std::max<std::int64_t>(1, std::llround(target / std::max(iteration, kFastestIteration)));
}

std::int64_t fixed_loop_length(Bytes lmax, Bytes size) {
  constexpr std::int64_t kLongest = 300;
  return std::max<std::int64_t>(1, std::min<std::int64_t>(kLongest, lmax / size));
}

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

/// Ring sizes with equal neighbours counted: `2 x 49, 3`.
std::string counted_sizes(const std::vector<int>& sizes) {
  std::string text;
  for_each_run(sizes, [&](int size, auto count) {
    text += text.empty() ? "" : ", ";
    text += count == 1 ? fmt::format("{}", size) : fmt::format("{} x {}", count, size);
  });
  return text;
}

std::string graph_text(const Graph& graph) {
  const auto rings = graph.ring_sizes();
  if (!rings.empty()) {
    return "rings of " + counted_sizes(rings);
  }
  if (graph.topology() == Topology::kWorld) {
    return "pairs";
  }
  const auto shape = graph.cartesian_shape().extents;
  return graph.topology() == Topology::kPlane
             ? fmt::format("grid {} x {}", shape[0], shape[1])
             : fmt::format("grid {} x {} x {}", shape[0], shape[1], shape[2]);
}

std::string patterns_text(const Plan& plan) {
  std::string text = fmt::format("{:>3}  {:<28}{:>10}{:>12}  {}\n", "id", "pattern", "processes",
                                 "messages", "graph");
  for (const auto& pattern : plan.patterns) {
    text += fmt::format("{:>3}  {:<28}{:>10}{:>12}  {}", pattern.id, pattern.name,
                        pattern.graph->processes(), pattern.graph->messages(),
                        graph_text(*pattern.graph));
    text += pattern.seed ? fmt::format(", seed {}\n", *pattern.seed) : "\n";
  }
  return text;
}

std::string sizes_text(const Plan& plan) {
  const auto bytes = [&](int index) { return plan.sizes.at(static_cast<std::size_t>(index)); };
  return fmt::format("{}", fmt::join(plan.size_indices | std::views::transform(bytes), ", "));
}

std::string methods_text(const Plan& plan) {
  std::string text;
  for (const Method method : plan.methods) {
    text += fmt::format("  {:<20}{}{}\n", row(method).name, row(method).mpi_calls,
                        row(method).official ? "" : " (beside the value)");
  }
  return text;
}

}  // namespace

Plan make_plan(const PlanRequest& request) {
  const auto& rules = row(request.definition);
  Plan plan(request);
  plan.memory_per_process = rules.memory_per_process.value_or(request.memory_per_process);
  plan.loop_time.shortest = request.shortest_loop.value_or(rules.shortest_loop);
  plan.sizes = message_sizes(largest_message(plan.memory_per_process));
  plan.patterns = make_patterns(request.processes, request.seed, request.random_order);
  if (plan.methods.empty()) {
    plan.methods = official_methods();
  }
  plan.existing_patterns = static_cast<int>(plan.patterns.size());
  plan.averaged_patterns = static_cast<int>(std::ranges::count_if(
      plan.patterns, [&](const Pattern& pattern) { return pattern.enters(plan.definition); }));
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
      std::ranges::count_if(plan.methods, [&](Method m) { return plan.measures(pattern, m); });
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
  // of each loop four columns of bytes are copied, which may wait for a time slice of the device
  constexpr Seconds kCopiesOfCheck = 4 * 150e-6;
  const Seconds check = plan.on_device ? kCopiesOfCheck : 0;
  return (kWarmUpAndBarriers * loop + check) * static_cast<double>(planned_loops(plan));
}

std::string plan_text(const Plan& plan, const std::string& memory_source,
                      std::optional<Seconds> time_limit) {
  std::string text = fmt::format("Plan of b_eff, definition {}, for {} processes\n",
                                 to_string(plan.definition), plan.processes);
  text += fmt::format("Memory per process: {} ({}); L_max = {} = {} byte\n",
                      format_size(plan.memory_per_process), memory_source, format_size(plan.lmax()),
                      plan.lmax());
  text += fmt::format("Message sizes in byte: {}\n", sizes_text(plan));
  text += "Methods:\n" + methods_text(plan);
  text += fmt::format("Repetitions: {}; loops to be timed: {}\n", plan.repetitions,
                      planned_loops(plan));
  if (row(plan.definition).timed_lengths) {
    text += fmt::format(
        "Running time: about {} if every loop keeps within {} to {}; longer where one message "
        "takes "
        "longer than that\n",
        format_duration(expected_time(plan)), format_duration(plan.loop_time.shortest),
        format_duration(plan.loop_time.longest()));
  }
  text += plan.seed ? fmt::format("Seed of the random rings: {}\n", *plan.seed)
                    : "Seed of the random rings: new in each run, unless given\n";
  text += time_limit ? fmt::format("Time limit: {}, then what was measured is a partial result\n",
                                   format_duration(*time_limit))
                     : "Time limit: none\n";
  return text + heading("Patterns") + patterns_text(plan);
}

}  // namespace beff::b_eff
