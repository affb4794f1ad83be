#pragma once

#include <compare>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

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

/// The numbers of a block device.
struct Device {
  int major_number;
  int minor_number;

  auto operator<=>(const Device&) const = default;
};

/// What the files of a folder lie on in the end.
struct Storage {
  std::vector<std::string> below;  ///< what the file system lies on, the uppermost first
  bool in_memory = false;          ///< all of it
  ReadsSeenBy reads_seen_by = ReadsSeenBy::kPageCaches;
  std::set<Device> devices;  ///< the lowest, which read from outside memory
};

/// Looks below overlays, loop devices, mappers and arrays, as far as this node shows what is there.
/// `root` has the system's proc/ and sys/.
[[nodiscard]] Storage storage_of(const std::filesystem::path& folder,
                                 const std::filesystem::path& root = "/");

/// What these devices have read since the system was started, in byte; nothing where one does not
/// say so. `root` has the system's sys/.
[[nodiscard]] std::optional<Bytes> bytes_read_by(const std::set<Device>& devices,
                                                 const std::filesystem::path& root = "/");

}  // namespace beff::b_eff_io
