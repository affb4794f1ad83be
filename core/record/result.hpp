#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/record/load.hpp"
#include "core/record/wires.hpp"

namespace beff {

/// What every benchmark notes of a run beside its figures.
struct RunRecord {
  std::vector<HostWires> wires{};           ///< what was carried, of each host
  std::vector<HostLoad> loads{};            ///< of each host
  bool complete = false;                    ///< everything in the plan was measured
  std::optional<std::string> stopped_by{};  ///< why not complete, for the reader
};

}  // namespace beff
