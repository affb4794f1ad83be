#include "core/record/kernels.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>

namespace beff {

std::vector<int> numbered_kernels(const std::vector<std::string>& boot_ids) {
  std::map<std::string, int> number_of;
  std::vector<int> kernels;
  int next = 0;
  for (const auto& id : boot_ids) {
    const bool is_new = id.empty() || number_of.emplace(id, next).second;
    kernels.push_back(is_new ? next++ : number_of.at(id));
  }
  return std::cmp_less(next, boot_ids.size()) ? kernels : std::vector<int>();
}

std::string kernels_text(const Environment& environment) {
  std::map<int, std::vector<Host>> of_kernel;
  for (std::size_t node = 0; node < environment.kernels.size(); ++node) {
    of_kernel[environment.kernels[node]].push_back(environment.hosts.at(node));
  }
  std::erase_if(of_kernel, [](const auto& entry) { return entry.second.size() < 2; });
  if (of_kernel.empty()) {
    return "";
  }
  const auto more = of_kernel.size() - 1;
  return fmt::format(
      "{} run on one kernel, as containers do{}: their cores and memory are counted once, and "
      "messages between them may not leave the machine",
      compressed_host_list(of_kernel.begin()->second),
      more > 0 ? fmt::format(", and so do those of {} more", more) : "");
}

}  // namespace beff
