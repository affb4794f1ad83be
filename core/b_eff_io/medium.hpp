#pragma once

#include <optional>
#include <string>

#include "core/b_eff_io/sample.hpp"

namespace beff::b_eff_io {

/// Share of the read data that must not have come from page caches for the bandwidth to be the file
/// system's.
inline constexpr double kDiskShare = 0.95;

/// Where read data came from.
enum class Medium : std::uint8_t {
  kDisk,    ///< at least 95 % did not come from the page caches of the nodes
  kMemory,  ///< at most 5 %
  kMixed,
  kUnknown,  ///< neither residency nor the kernel's counters are known
};

struct ReadOrigin {
  Medium medium;
  std::optional<double> disk_share;  ///< 0…1
};

/// Judged over all partitions' reads, by what was not resident before the read, by what the kernel
/// counted as read from storage (read_bytes), and by what the devices under the files have read,
/// whichever is less. read_bytes of 0 means nothing: there are file systems that the kernel does
/// not count. Where caches lie between that nobody counts, only what came from memory is known. A
/// file system in memory is memory.
[[nodiscard]] ReadOrigin read_origin(const Measurement& measurement);

/// One sentence on whether the read bandwidth is that of a disk or of memory.
[[nodiscard]] std::string medium_sentence(const Measurement& measurement);

}  // namespace beff::b_eff_io
