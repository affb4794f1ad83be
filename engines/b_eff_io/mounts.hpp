#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace beff::b_eff_io {

/// A mounted file system.
struct Mount {
  std::string point;
  std::string kind;
  std::string source;          ///< device, server or file set
  std::string options;         ///< of this mount
  std::string of_file_system;  ///< options of the file system itself, as of NFS and Spectrum Scale
};

/// The mount that covers `folder`, from a table like /proc/self/mountinfo: of those above it the
/// longest, and of equal ones the last.
std::optional<Mount> mount_of(const std::filesystem::path& folder,
                              const std::filesystem::path& table);

/// The variable by which a batch system names the burst buffer that `folder` is in; empty where
/// none does. DataWarp, IBM's burst buffer and Slurm's plugins set such variables.
std::string burst_buffer_of(const std::filesystem::path& folder,
                            const std::map<std::string, std::string>& variables);

}  // namespace beff::b_eff_io
