#include "core/record/load.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/record/host_columns.hpp"
#include "core/record/json.hpp"

namespace beff {
namespace {

/// Of the time; the same as in python/beff/analysis/common/load.py.
constexpr double kDisturbs = 0.05;

double share_of(const std::optional<std::int64_t>& part_ms, std::int64_t elapsed_ms) {
  return elapsed_ms > 0 ? static_cast<double>(part_ms.value_or(0)) / static_cast<double>(elapsed_ms)
                        : 0;
}

}  // namespace

Json load_json(const std::vector<HostLoad>& of_hosts) {
  if (of_hosts.empty()) {
    return nullptr;
  }
  const auto of = [&](auto member) {
    return host_column(of_hosts, [&](const HostLoad& host) { return host.*member; });
  };
  return {{"elapsed_ms", of(&HostLoad::elapsed_ms)},
          {"others_ms", of(&HostLoad::others_ms)},
          {"stolen_ms", of(&HostLoad::stolen_ms)},
          {"waited_ms", of(&HostLoad::waited_ms)},
          {"throttled_ms", of(&HostLoad::throttled_ms)}};
}

std::string load_text(const std::vector<HostLoad>& of_hosts, const std::vector<Host>& hosts) {
  std::vector<Host> busy;
  double most = 0;
  for (std::size_t host = 0; host < of_hosts.size(); ++host) {
    const auto& load = of_hosts[host];
    const double worst = std::max({share_of(load.others_ms, load.elapsed_ms),
                                   share_of(load.stolen_ms, load.elapsed_ms),
                                   share_of(load.throttled_ms, load.elapsed_ms)});
    if (worst > kDisturbs) {
      busy.push_back(hosts.at(host));
      most = std::max(most, worst);
    }
  }
  return busy.empty() ? ""
                      : fmt::format(
                            "processes of {} did not have up to {:.0f} % of the time: other "
                            "programs, a hypervisor or a quota had it",
                            compressed_host_list(busy), 100 * most);
}

}  // namespace beff
