#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "core/b_eff_io/sample.hpp"

namespace beff::b_eff_io {

/// A mounted file system.
struct Mount {
  std::string device;  ///< major and minor number; 0 and anything where it is on none
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

/// The default striping of a folder from its attribute lustre.lov: struct lov_user_md_v1 or _v3 of
/// Lustre's lustre_user.h, or the number of components of a composite layout. Nothing where the
/// bytes are none of these.
std::optional<Striping> lustre_striping(std::span<const std::byte> attribute);

}  // namespace beff::b_eff_io
