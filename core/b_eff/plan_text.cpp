#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ranges>

#include "core/b_eff/protocol.hpp"
#include "core/text_table.hpp"

namespace beff::b_eff {
namespace {

/// Ring sizes with equal neighbours counted: `2 x 49, 3`.
std::string counted_sizes(const std::vector<int>& sizes) {
  std::string text;
  for (std::size_t i = 0; i < sizes.size();) {
    std::size_t behind = i;
    while (behind < sizes.size() && sizes[behind] == sizes[i]) {
      ++behind;
    }
    text += text.empty() ? "" : ", ";
    text += behind - i == 1 ? fmt::format("{}", sizes[i])
                            : fmt::format("{} x {}", behind - i, sizes[i]);
    i = behind;
  }
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
  if (plan.definition == Definition::k3_5) {
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
