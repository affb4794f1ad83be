#include "core/record/hosts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/record/json.hpp"

namespace beff {
namespace {

/// A host name cut before its last number: node007.x → {"node", "007", ".x"}.
struct NumberedName {
  std::string prefix;
  std::string digits;
  std::string suffix;
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

NumberedName cut(const std::string& name) {
  constexpr std::size_t kLongestNumber = 9;
  const auto first_dot = std::min(name.find('.'), name.size());
  auto end = first_dot;
  while (end > 0 && !is_digit(name[end - 1])) {
    --end;
  }
  auto begin = end;
  while (begin > 0 && is_digit(name[begin - 1]) && end - begin < kLongestNumber) {
    --begin;
  }
  return {name.substr(0, begin), name.substr(begin, end - begin), name.substr(end)};
}

bool same_series(const NumberedName& a, const NumberedName& b) {
  return !a.digits.empty() && !b.digits.empty() && a.prefix == b.prefix && a.suffix == b.suffix &&
         a.digits.size() == b.digits.size();
}

bool follows(const NumberedName& a, const NumberedName& b) {
  return same_series(a, b) && std::stol(b.digits) == std::stol(a.digits) + 1;
}

}  // namespace

PlaceInJob place_in_slurm(std::string_view node, std::string_view address,
                          std::string_view pattern) {
  const auto parts = std::ranges::count(pattern, '.') + 1;
  std::size_t end = 0;
  // names of nodes may have dots, names of switches do not
  for (std::ptrdiff_t part = 1; part < parts && end != std::string_view::npos; ++part) {
    end = address.find('.', part == 1 ? 0 : end + 1);
  }
  const bool is_known = pattern.ends_with(".node") && end != std::string_view::npos;
  return {.node = std::string(node),
          .switches = std::string(address.substr(0, is_known ? end : 0))};
}

void drop_copied_places(std::vector<Host>& hosts) {
  std::set<std::string_view> nodes;
  const bool all_differ = std::ranges::all_of(hosts, [&](const Host& host) {
    return !host.place.node.empty() && nodes.insert(host.place.node).second;
  });
  if (!all_differ) {
    std::ranges::for_each(hosts, [](Host& host) { host.place = {}; });
  }
}

std::string compressed_host_list(const std::vector<Host>& hosts) {
  std::vector<NumberedName> names;
  names.reserve(hosts.size());
  for (const auto& host : hosts) {
    names.push_back(cut(host.name));
  }
  std::string text;
  for (std::size_t i = 0; i < names.size();) {
    std::size_t series_end = i + 1;
    while (series_end < names.size() && same_series(names[i], names[series_end])) {
      ++series_end;
    }
    if (!text.empty()) {
      text += ',';
    }
    if (series_end - i == 1) {
      text += hosts[i].name;
      ++i;
      continue;
    }
    std::string ranges;
    const auto& series = names[i];
    while (i < series_end) {
      std::size_t last = i;
      while (last + 1 < series_end && follows(names[last], names[last + 1])) {
        ++last;
      }
      if (!ranges.empty()) {
        ranges += ',';
      }
      ranges += names[i].digits + (last > i ? "-" + names[last].digits : "");
      i = last + 1;
    }
    text += fmt::format("{}[{}]{}", series.prefix, ranges, series.suffix);
  }
  return text;
}

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

std::string hosts_of_one_kernel(const std::vector<Host>& hosts, const std::vector<int>& kernels) {
  std::map<int, int> hosts_of;
  for (const int kernel : kernels) {
    ++hosts_of[kernel];
  }
  std::vector<Host> sharing;
  for (std::size_t node = 0; node < kernels.size(); ++node) {
    if (hosts_of[kernels[node]] > 1) {
      sharing.push_back(hosts.at(node));
    }
  }
  return sharing.empty() ? "" : compressed_host_list(sharing);
}

Json to_json(const HostHardware& hardware) {
  const auto port_json = [](const Port& port) {
    return Json{{"name", port.name},
                {"kind", port.kind},
                {"rate_MBps", or_null(port.rate_MBps)},
                {"state", port.state}};
  };
  return {{"network", json_list(hardware.network, port_json)},
          {"pcie_below_maximum", hardware.pcie_below_maximum}};
}

}  // namespace beff
