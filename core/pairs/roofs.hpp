#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/record/hosts.hpp"
#include "core/units/quantity_text.hpp"

namespace beff::pairs {

inline constexpr double kMBPerGB = 1e3;

/// How long copies from memory to memory are measured.
inline constexpr Seconds kCopiesTake = 0.2;

/// What the hardware allows, as far as a run finds out.
struct Roofs {
  /// Bytes copied memory to memory while all processes do so; empty where not measured.
  std::optional<double> copy_MBps_per_process;
  std::vector<HostHardware> of_hosts;  ///< in order of node index, on rank 0
  Seconds took = 0;

  [[nodiscard]] bool any() const { return copy_MBps_per_process || !of_hosts.empty(); }
};

/// Field `roofs` of the result file; null where nothing is known.
Json to_json(const Roofs& roofs, const std::vector<Host>& hosts);

/// The roofs in words, and hosts that differ from the others.
std::string roofs_text(const Roofs& roofs, const std::vector<Host>& hosts);

}  // namespace beff::pairs
