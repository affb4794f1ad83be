#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/b_eff/averages.hpp"
#include "core/record/host_hardware.hpp"
#include "core/units/quantity_text.hpp"

namespace beff::b_eff {

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

/// Figures at L_max relative to the roofs; empty where none is known.
struct RoofShares {
  /// On one host: a message through memory is copied at least once.
  Figure copy;
  /// With one process on each of several hosts: all that a host sends crosses the network. The roof
  /// is the quickest host's.
  Figure network;
};

/// `at_lmax` in MB/s, of all processes.
RoofShares roof_shares(const Roofs& roofs, const std::vector<Host>& hosts, int processes,
                       const Figure& at_lmax);

/// Field `roofs` of the result file; null where nothing is known.
Json to_json(const Roofs& roofs, const std::vector<Host>& hosts, int processes,
             const Figure& at_lmax);

/// The shares in words, and hosts that differ from the others.
std::string roofs_text(const Roofs& roofs, const std::vector<Host>& hosts, int processes,
                       const Figure& at_lmax);

}  // namespace beff::b_eff
