#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

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

}  // namespace beff
