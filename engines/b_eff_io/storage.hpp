#pragma once

#include <compare>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/b_eff_io/sample.hpp"

namespace beff::b_eff_io {

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
