#include "core/b_eff/pattern_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/b_eff/graphs.hpp"
#include "core/random_permutation.hpp"

namespace beff::b_eff {
namespace {

template <int ring_pattern>
GraphPointer standard_rings(int processes) {
  return rings(processes, standard_ring_size(ring_pattern, processes));
}

template <int dimensions, bool cyclic, int... directions>
GraphPointer grid(int processes) {
  return cartesian(processes, dimensions, cyclic, {directions...});
}

/// Which values a pattern enters: the first of their two averages is over rings (3.5) or over
/// cyclic Cartesian patterns (3.1).
struct Enters {
  bool by_3_5;
  bool by_3_1;
};
constexpr Enters kBoth{true, true};
constexpr Enters kOnly3_5{true, false};
constexpr Enters kOnly3_1{false, true};
constexpr Enters kNone{false, false};

/// What only one pattern has.
struct Special {
  bool sendrecv_only = false;
  bool uneven_if_odd = false;  ///< Pattern::has_release_3_6
};
constexpr Special kSendrecvOnly{.sendrecv_only = true, .uneven_if_odd = false};
constexpr Special kUnevenIfOdd{.sendrecv_only = false, .uneven_if_odd = true};

/// `make` returns null where the pattern does not exist for the number of processes.
struct PatternRow {
  int id;
  std::string_view name;
  Enters enters;
  GraphPointer (*make)(int processes);
  Special special{};
};

constexpr std::array kRingRows{
    PatternRow{0, "rings of 2", kOnly3_5, standard_rings<0>, kUnevenIfOdd},
    PatternRow{1, "rings of 4", kOnly3_5, standard_rings<1>},
    PatternRow{2, "rings of 8", kOnly3_5, standard_rings<2>},
    PatternRow{3, "rings of max(16, n/4)", kOnly3_5, standard_rings<3>},
    PatternRow{4, "rings of max(32, n/2)", kOnly3_5, standard_rings<4>},
    PatternRow{5, "one ring", kBoth, standard_rings<5>},
};

constexpr std::array kAdditionalRows{
    PatternRow{36, "worst cycle", kNone, worst_cycle},
    PatternRow{37, "best bisection", kNone, best_bisection},
    PatternRow{38, "worst bisection", kNone, worst_bisection},
    PatternRow{kPingPongPattern, "ping-pong", kNone, ping_pong, kSendrecvOnly},
    PatternRow{40, "2-D acyclic, all directions", kNone, grid<2, false, 0, 1>},
    PatternRow{41, "3-D acyclic, all directions", kNone, grid<3, false, 0, 1, 2>},
    PatternRow{42, "2-D cyclic, x", kOnly3_1, grid<2, true, 0>},
    PatternRow{43, "2-D cyclic, y", kOnly3_1, grid<2, true, 1>},
    PatternRow{44, "2-D cyclic, x+y", kOnly3_1, grid<2, true, 0, 1>},
    PatternRow{45, "3-D cyclic, x", kOnly3_1, grid<3, true, 0>},
    PatternRow{46, "3-D cyclic, y", kOnly3_1, grid<3, true, 1>},
    PatternRow{47, "3-D cyclic, z", kOnly3_1, grid<3, true, 2>},
    PatternRow{48, "3-D cyclic, x+y+z", kOnly3_1, grid<3, true, 0, 1, 2>},
};

static_assert(kRingRows.size() == kFirstRandomPattern);
static_assert(kAdditionalRows.front().id == kFirstRandomPattern + kRandomPatterns);
static_assert(kAdditionalRows.back().id <= kLargestPatternId);
}  // namespace

std::vector<Pattern> make_patterns(int processes, std::optional<std::uint64_t> run_seed,
                                   RandomOrder order) {
  const bool uniform = order == RandomOrder::kUniform;
  std::uint64_t drawn = rand48_begin(run_seed.value_or(0));
  std::vector<Pattern> patterns;
  patterns.reserve(kRingRows.size() + kRandomPatterns + kAdditionalRows.size());
  const auto add_row = [&](const PatternRow& row, Group group) {
    if (auto graph = row.make(processes)) {
      patterns.push_back({.id = row.id,
                          .name = std::string(row.name),
                          .group = group,
                          .enters_with_rings = row.enters.by_3_5,
                          .enters_with_grids = row.enters.by_3_1,
                          .sendrecv_only = row.special.sendrecv_only,
                          .has_release_3_6 = row.special.uneven_if_odd && processes % 2 == 1,
                          .graph = std::move(graph)});
    }
  };
  for (const auto& row : kRingRows) {
    add_row(row, Group::kRing);
  }
  for (int i = 0; i < kRandomPatterns; ++i) {
    const int id = kFirstRandomPattern + i;
    const auto seed = uniform ? pattern_seed(run_seed.value_or(0), id) : drawn;
    patterns.push_back(
        {.id = id,
         .name = fmt::format("random {}", i + 1),
         .group = Group::kRandom,
         .enters_with_rings = true,
         .enters_with_grids = true,
         .seed = run_seed ? std::optional(seed) : std::nullopt,
         .graph = uniform ? random_ring(processes, seed) : release_3_6_ring(processes, seed)});
    drawn = uniform ? drawn : rand48_after(drawn, processes);
  }
  for (const auto& row : kAdditionalRows) {
    add_row(row, Group::kAdditional);
  }
  return patterns;
}

}  // namespace beff::b_eff
