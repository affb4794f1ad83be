#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/environment.hpp"

namespace beff {

/// The name of this host by the system: needs no MPI, as threads and what comes before it must not
/// call that.
std::string own_host();

/// Entries of a folder by name; empty where it cannot be read.
std::vector<std::filesystem::path> sorted_entries(const std::filesystem::path& folder);

bool is_there(const std::filesystem::path& path);

/// First line; empty where it cannot be read.
std::string line_in(const std::filesystem::path& file);

/// The whole number that a file begins with.
std::optional<long long> count_in(const std::filesystem::path& file);

/// A file of a controller by its names in the two versions of cgroups.
struct CgroupFile {
  std::string_view controller;
  std::string_view in_version_2;
  std::string_view in_version_1;
};

/// Paths of a file in the cgroup of this process and in those above it, innermost first. A
/// container sees its own group as the root: paths that do not exist are among them. `root` has the
/// system's sys/ and proc/.
std::vector<std::filesystem::path> cgroup_paths(const std::filesystem::path& root,
                                                const CgroupFile& file);

/// When a process of this host started, in clock ticks since boot; nothing where none has this
/// number any more, or where it has ended and nobody has waited for it yet (a zombie).
std::optional<long long> start_of_process(long long process);

/// The value of an environment variable; null where it is not set.
using Variable = std::function<const char*(const char*)>;

/// The job of a batch system that this process runs in, with its partition or queue and its quality
/// of service as far as jobs see them; nothing outside a job.
std::optional<BatchJob> look_at_job(const Variable& variable);

}  // namespace beff
