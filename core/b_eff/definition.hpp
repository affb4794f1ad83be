#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/units/quantity_text.hpp"

namespace beff::b_eff {

/// What a value is defined by. docs/reference/definitions.md explains each.
enum class Definition : std::uint8_t {
  k3_5,     ///< IPDPS 2001 paper, section 4
  k3_1,     ///< release 3.1
  kShort1,  ///< a minute for every day, never beside the published ones
};

/// The rules of a definition: what measures, condenses and judges asks here. By default those
/// of 3.5.
struct DefinitionRow {
  Definition definition;
  std::string_view name;
  std::string_view value = "b_eff";  ///< what the value is called in the last line
  bool is_published = true;   ///< values may stand in lists, beside those of papers and R_max
  bool rings_first = true;    ///< the first group are rings, else cyclic Cartesian patterns
  bool timed_lengths = true;  ///< a loop is as long as measured times say, else min(300, L_max / L)
  Seconds shortest_loop = 2.5e-3;  ///< a loop lasts so long up to twice that
  /// What L_max follows from, whatever memory there is; empty: the memory of a process.
  std::optional<Bytes> memory_per_process{};
  bool any_repetitions = false;  ///< valid with any number of whole ones, else with kRepetitions
  Seconds time_limit = 1800;     ///< where the user gives none
};

inline constexpr std::array kDefinitions{
    DefinitionRow{.definition = Definition::k3_5, .name = "3.5"},
    DefinitionRow{.definition = Definition::k3_1,
                  .name = "3.1",
                  .rings_first = false,
                  .timed_lengths = false},
    DefinitionRow{.definition = Definition::kShort1,
                  .name = "short-1",
                  .value = "b_eff short",
                  .is_published = false,
                  .shortest_loop = 1e-3,
                  .memory_per_process = 8 * kMiB,
                  .any_repetitions = true,
                  .time_limit = 60},
};

[[nodiscard]] constexpr const DefinitionRow& row(Definition definition) {
  return kDefinitions.at(static_cast<std::size_t>(definition));
}

[[nodiscard]] constexpr std::string_view to_string(Definition definition) {
  return row(definition).name;
}

}  // namespace beff::b_eff
