#include "engines/common/host/host.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <sstream>
#include <string>
#include <system_error>

namespace beff {
namespace fs = std::filesystem;
namespace {

/// Appends `top/group/file` and the same of every group above.
void append_upwards(std::vector<fs::path>& paths, const fs::path& top, std::string group,
                    std::string_view file) {
  for (;;) {
    paths.emplace_back(fmt::format("{}{}/{}", top.string(), group, file));
    if (group.empty() || group == "/") {
      return;
    }
    group.resize(group.rfind('/'));
  }
}

/// Whether a list like cpu,cpuacct has the name.
bool lists(const std::string& controllers, std::string_view name) {
  return fmt::format(",{},", controllers).find(fmt::format(",{},", name)) != std::string::npos;
}

/// Variables of a batch system; null where it sets none for this.
struct System {
  const char* name;
  const char* marker;  ///< only a job has it
  const char* partition;
  const char* qos;
};

constexpr std::array kSystems{
    System{"Slurm", "SLURM_JOB_ID", "SLURM_JOB_PARTITION", "SLURM_JOB_QOS"},
    System{"PBS", "PBS_JOBID", "PBS_QUEUE", nullptr},
    System{"LSF", "LSB_JOBID", "LSB_QUEUE", nullptr},
    System{"Flux", "FLUX_JOB_ID", nullptr, nullptr},
    System{"Grid Engine", "PE_HOSTFILE", "QUEUE", nullptr},
};

}  // namespace

std::string own_host() {
  std::array<char, 65> name{};
  gethostname(name.data(), name.size() - 1);
  return name.front() == '\0' ? "?" : name.data();
}

std::vector<fs::path> sorted_entries(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code problem;
  for (fs::directory_iterator entry(folder, problem), end; !problem && entry != end;
       entry.increment(problem)) {
    entries.push_back(entry->path());
  }
  std::ranges::sort(entries);
  return entries;
}

bool is_there(const fs::path& path) {
  std::error_code problem;
  return fs::exists(path, problem);
}

std::string line_in(const fs::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

std::string trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const auto first = text.find_first_not_of(kBlanks);
  const auto last = text.find_last_not_of(kBlanks);
  return first == std::string_view::npos ? "" : std::string(text.substr(first, last - first + 1));
}

std::optional<long long> start_of_process(long long process) {
  constexpr int kStart = 22;  // of proc_pid_stat(5); the third, behind the name, is the state
  const auto text = line_in(fmt::format("/proc/{}/stat", process));
  std::istringstream fields(text.substr(std::min(text.rfind(')') + 1, text.size())));
  std::string field;
  for (int number = 3; number <= kStart && fields >> field; ++number) {
    if (number == 3 && (field == "Z" || field == "X")) {
      return std::nullopt;
    }
  }
  long long start = 0;
  const auto [end, problem] = std::from_chars(field.data(), field.data() + field.size(), start);
  return fields && problem == std::errc() ? std::optional(start) : std::nullopt;
}

std::optional<long long> count_in(const fs::path& file) {
  std::ifstream stream(file);
  long long number = 0;
  return stream >> number ? std::optional(number) : std::nullopt;
}

std::vector<fs::path> cgroup_paths(const fs::path& root, const CgroupFile& file) {
  std::vector<fs::path> paths;
  std::ifstream groups(root / "proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) {
      continue;
    }
    const auto controllers = line.substr(first + 1, second - first - 1);
    const auto group = line.substr(second + 1);
    if (controllers.empty()) {
      append_upwards(paths, root / "sys/fs/cgroup", group, file.in_version_2);
    } else if (lists(controllers, file.controller)) {
      for (const std::string_view mount : {std::string_view(controllers), file.controller}) {
        append_upwards(paths, root / "sys/fs/cgroup" / mount, group, file.in_version_1);
      }
    }
  }
  return paths;
}

std::optional<BatchJob> read_job(const Variable& variable) {
  const auto value = [&](const char* name) {
    const char* text = name == nullptr ? nullptr : variable(name);
    return std::string(text == nullptr ? "" : text);
  };
  for (const auto& system : kSystems) {
    if (variable(system.marker) != nullptr) {
      return BatchJob{
          .system = system.name, .partition = value(system.partition), .qos = value(system.qos)};
    }
  }
  return std::nullopt;
}

}  // namespace beff
