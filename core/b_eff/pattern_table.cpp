#include "core/b_eff/pattern_table.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "core/b_eff/graphs/cartesian_graph.hpp"
#include "core/b_eff/graphs/pairs_graph.hpp"
#include "core/b_eff/graphs/random_ring_graph.hpp"
#include "core/b_eff/graphs/rings_graph.hpp"
#include "core/b_eff/graphs/worst_cycle_graph.hpp"

namespace beff::b_eff {
namespace {

using GraphPointer = std::unique_ptr<const Graph>;

template <int ring_pattern>
GraphPointer rings(int processes) {
  return std::make_unique<RingsGraph>(processes, standard_ring_size(ring_pattern, processes));
}

template <int dimensions, bool cyclic, int... directions>
GraphPointer cartesian(int processes) {
  auto graph = std::make_unique<CartesianGraph>(processes, dimensions, cyclic,
                                                std::vector<int>{directions...});
  return graph->has_direction() ? std::move(graph) : nullptr;
}

template <class T>
GraphPointer through_all(int processes) {
  return std::make_unique<T>(processes);
}

GraphPointer ping_pong(int /*processes*/) { return std::make_unique<PingPongGraph>(); }

/// `make` returns null where the pattern does not exist for the number of processes.
struct Row {
  int id;
  std::string_view name;
  Group group;
  GraphPointer (*make)(int processes);
};

constexpr std::array kRingRows{
    Row{0, "rings of 2", Group::kRing, rings<0>},
    Row{1, "rings of 4", Group::kRing, rings<1>},
    Row{2, "rings of 8", Group::kRing, rings<2>},
    Row{3, "rings of max(16, n/4)", Group::kRing, rings<3>},
    Row{4, "rings of max(32, n/2)", Group::kRing, rings<4>},
    Row{5, "one ring", Group::kRing, rings<5>},
};

constexpr std::array kAdditionalRows{
    Row{36, "worst cycle", Group::kAdditional, through_all<WorstCycleGraph>},
    Row{37, "best bisection", Group::kAdditional, through_all<BestBisectionGraph>},
    Row{38, "worst bisection", Group::kAdditional, through_all<WorstBisectionGraph>},
    Row{kPingPongPattern, "ping-pong", Group::kAdditional, ping_pong},
    Row{40, "2-D acyclic, all directions", Group::kAdditional, cartesian<2, false, 0, 1>},
    Row{41, "3-D acyclic, all directions", Group::kAdditional, cartesian<3, false, 0, 1, 2>},
    Row{42, "2-D cyclic, x", Group::kAdditional, cartesian<2, true, 0>},
    Row{43, "2-D cyclic, y", Group::kAdditional, cartesian<2, true, 1>},
    Row{44, "2-D cyclic, x+y", Group::kAdditional, cartesian<2, true, 0, 1>},
    Row{45, "3-D cyclic, x", Group::kAdditional, cartesian<3, true, 0>},
    Row{46, "3-D cyclic, y", Group::kAdditional, cartesian<3, true, 1>},
    Row{47, "3-D cyclic, z", Group::kAdditional, cartesian<3, true, 2>},
    Row{48, "3-D cyclic, x+y+z", Group::kAdditional, cartesian<3, true, 0, 1, 2>},
};
constexpr int kOneRing = 5;
constexpr int kFirstCyclicCartesian = 42;

static_assert(kRingRows.size() == kFirstRandomPattern);
static_assert(kRingRows.size() + kRandomPatterns + kAdditionalRows.size() == kPatterns);

}  // namespace

Average average_of(Definition definition, int pattern_id) {
  const bool random =
      pattern_id >= kFirstRandomPattern && pattern_id < kFirstRandomPattern + kRandomPatterns;
  if (random) {
    return Average::kRandom;
  }
  const bool first = definition == Definition::k3_5
                         ? pattern_id < kFirstRandomPattern
                         : pattern_id == kOneRing || pattern_id >= kFirstCyclicCartesian;
  return first ? Average::kFirst : Average::kNone;
}

std::vector<Pattern> make_patterns(int processes, std::optional<std::uint64_t> run_seed) {
  std::vector<Pattern> patterns;
  patterns.reserve(kPatterns);
  const auto add_row = [&](const Row& row) {
    if (auto graph = row.make(processes)) {
      patterns.push_back({.id = row.id,
                          .name = std::string(row.name),
                          .group = row.group,
                          .seed = std::nullopt,
                          .sendrecv_only = row.id == kPingPongPattern,
                          .graph = std::move(graph)});
    }
  };
  for (const auto& row : kRingRows) {
    add_row(row);
  }
  for (int i = 0; i < kRandomPatterns; ++i) {
    const int id = kFirstRandomPattern + i;
    const auto seed = pattern_seed(run_seed.value_or(0), id);
    patterns.push_back({.id = id,
                        .name = fmt::format("random {}", i + 1),
                        .group = Group::kRandom,
                        .seed = run_seed ? std::optional(seed) : std::nullopt,
                        .sendrecv_only = false,
                        .graph = std::make_unique<RandomRingGraph>(processes, seed)});
  }
  for (const auto& row : kAdditionalRows) {
    add_row(row);
  }
  return patterns;
}

}  // namespace beff::b_eff
