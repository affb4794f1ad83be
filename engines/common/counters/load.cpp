#include "engines/common/counters/counters.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

#include "engines/common/host/host.hpp"

namespace beff {
namespace {

std::map<int, CpuTime> read_cpu_times(const std::filesystem::path& stat) {
  const auto ticks_per_s = static_cast<double>(sysconf(_SC_CLK_TCK));
  constexpr int kBetween = 5;  // system, idle, iowait, irq, softirq: proc_stat(5)
  std::map<int, CpuTime> cpus;
  std::ifstream file(stat);
  for (std::string line; std::getline(file, line) && line.starts_with("cpu");) {
    std::istringstream fields(line.substr(3));
    int cpu = 0;
    double user = 0;
    double nice = 0;
    double stolen = 0;
    if (line.starts_with("cpu ") || !(fields >> cpu >> user >> nice)) {  // the first is the sum
      continue;
    }
    for (int field = 0; field <= kBetween; ++field) {
      fields >> stolen;
    }
    cpus[cpu] = {.user = (user + nice) / ticks_per_s, .stolen = stolen / ticks_per_s};
  }
  return cpus;
}

/// The number behind a name in a file, as the next word or, where the name ends in =, in the same.
std::optional<double> number_behind(const std::filesystem::path& file, const std::string& name) {
  std::ifstream stream(file);
  for (std::string word; stream >> word;) {
    double number = 0;
    if (word == name && stream >> number) {
      return number;
    }
    if (name.ends_with('=') && word.starts_with(name)) {
      std::istringstream rest(word.substr(name.size()));
      return rest >> number ? std::optional(number) : std::nullopt;
    }
  }
  return std::nullopt;
}

/// "some avg10=… total=MICROSECONDS" of the innermost cgroup that reports it, else of the node.
std::optional<Seconds> read_waited(const std::filesystem::path& root) {
  constexpr CgroupFile kFile{"cpu", "cpu.pressure", "cpu.pressure"};
  auto paths = cgroup_paths(root, kFile);
  paths.push_back(root / "proc/pressure/cpu");
  for (const auto& path : paths) {
    if (const auto total = number_behind(path, "total=")) {
      return *total * 1e-6;
    }
  }
  return std::nullopt;
}

std::optional<Seconds> read_throttled(const std::filesystem::path& root) {
  constexpr CgroupFile kFile{"cpu", "cpu.stat", "cpu.stat"};
  std::optional<Seconds> most;
  for (const auto& path : cgroup_paths(root, kFile)) {
    const auto in_us = number_behind(path, "throttled_usec");
    const auto in_ns = number_behind(path, "throttled_time");
    if (in_us || in_ns) {
      most = std::max(most.value_or(0), in_us ? *in_us * 1e-6 : *in_ns * 1e-9);
    }
  }
  return most;
}

/// CPUs that processes have in common, and those processes.
struct SharedCpus {
  CpuSet cpus;
  int processes = 0;
  Seconds user = 0;
};

/// The processes by groups that have no CPU in common.
std::vector<SharedCpus> groups_of(const std::vector<ProcessTime>& processes) {
  std::vector<SharedCpus> groups;
  for (const auto& process : processes) {
    SharedCpus group{.cpus = process.cpus, .processes = 1, .user = process.user};
    const auto shares = [&](const SharedCpus& other) {
      return other.cpus == group.cpus ||
             std::ranges::any_of(other.cpus, [&](int cpu) { return group.cpus.contains(cpu); });
    };
    // what it joins may join others
    for (auto other = std::ranges::find_if(groups, shares); other != groups.end();
         other = std::ranges::find_if(groups, shares)) {
      group.processes += other->processes;
      group.user += other->user;
      group.cpus.merge(other->cpus);
      groups.erase(other);
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

std::int64_t milliseconds(Seconds seconds) { return std::llround(1e3 * std::max(0.0, seconds)); }

std::optional<std::int64_t> since(const std::optional<Seconds>& before,
                                  const std::optional<Seconds>& after) {
  return before && after ? std::optional(milliseconds(*after - *before)) : std::nullopt;
}

}  // namespace

LoadCounters read_load(const std::filesystem::path& root) {
  return {.cpus = read_cpu_times(root / "proc/stat"),
          .waited = read_waited(root),
          .throttled = read_throttled(root)};
}

HostLoad load_between(const LoadCounters& before, const LoadCounters& after,
                      const std::vector<ProcessTime>& processes, Seconds elapsed) {
  constexpr Seconds kShortest = 1;
  HostLoad load{.elapsed_ms = milliseconds(elapsed)};
  if (elapsed < kShortest) {
    return load;
  }
  load.waited_ms = since(before.waited, after.waited);
  load.throttled_ms = since(before.throttled, after.throttled);
  Seconds others = 0;
  Seconds stolen = 0;
  for (const auto& group : groups_of(processes)) {
    Seconds user = -group.user;
    Seconds away = 0;
    for (const int cpu : group.cpus) {
      const auto from = before.cpus.find(cpu);
      const auto to = after.cpus.find(cpu);
      if (from == before.cpus.end() || to == after.cpus.end()) {
        return load;
      }
      user += to->second.user - from->second.user;
      away += to->second.stolen - from->second.stolen;
    }
    if (group.cpus.empty()) {
      return load;
    }
    const double sharers = std::min(static_cast<int>(group.cpus.size()), group.processes);
    others = std::max(others, user / sharers);
    stolen = std::max(stolen, away / sharers);
  }
  load.others_ms = milliseconds(others);
  load.stolen_ms = milliseconds(stolen);
  return load;
}

}  // namespace beff
