#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/b_eff/definition.hpp"
#include "core/b_eff/graph.hpp"
#include "core/b_eff/methods.hpp"

namespace beff::b_eff {

/// Pattern ids are fixed: 0–5 rings, 6–35 random rings, 36–48 additional.
inline constexpr int kPatterns = 49;
inline constexpr int kFirstRandomPattern = 6;
inline constexpr int kRandomPatterns = 30;
inline constexpr int kPingPongPattern = 39;

enum class Group : std::uint8_t { kRing, kRandom, kAdditional };

[[nodiscard]] constexpr std::string_view to_string(Group group) {
  switch (group) {
    case Group::kRing:
      return "ring";
    case Group::kRandom:
      return "random";
    case Group::kAdditional:
      break;
  }
  return "additional";
}

/// Which average of the value a pattern enters.
enum class Average : std::uint8_t { kNone, kFirst, kRandom };

/// The first average is over rings 0–5 (definition 3.5) or over the cyclic Cartesian patterns 5 and
/// 42–48 (definition 3.1); the second over the random rings in both.
Average average_of(Definition definition, int pattern_id);

/// A pattern for a given number of processes.
struct Pattern {
  int id;
  std::string name;
  Group group;
  std::optional<std::uint64_t> seed;  ///< random rings only
  bool sendrecv_only;                 ///< ping-pong
  std::unique_ptr<const Graph> graph;

  [[nodiscard]] bool has_method(Method method) const {
    return !sendrecv_only || method == Method::kSendrecv;
  }
};

/// All patterns that exist for `processes` ≥ 2, in order of their ids; a Cartesian pattern without
/// a direction of extent > 1 is left out. Without a seed, for a plan only, the random rings are
/// any.
std::vector<Pattern> make_patterns(int processes, std::optional<std::uint64_t> run_seed);

}  // namespace beff::b_eff
