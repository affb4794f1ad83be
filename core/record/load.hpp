#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/record/environment.hpp"
#include "core/record/json_fwd.hpp"

namespace beff {

/// What of the time between start and end of measuring the processes of a host did not have.
/// Counted where they may run, for the place with the most: cores that processes have in common.
struct HostLoad {
  std::int64_t elapsed_ms = 0;
  std::optional<std::int64_t> others_ms{};     ///< other programs, per process
  std::optional<std::int64_t> stolen_ms{};     ///< the hypervisor, per process
  std::optional<std::int64_t> waited_ms{};     ///< some process waited for a core
  std::optional<std::int64_t> throttled_ms{};  ///< kept from running by a quota
};

/// Field `load` of a result: columns with a number for each host; null where nothing is known.
Json load_json(const std::vector<HostLoad>& of_hosts);

/// The hosts that did not have more than 5 % of the time, for the protocol; empty of none.
std::string load_text(const std::vector<HostLoad>& of_hosts, const std::vector<Host>& hosts);

}  // namespace beff
