#pragma once

#include <optional>
#include <string>

#include "core/b_eff_io/sample.hpp"

namespace beff::b_eff_io {

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

/// Judged over all partitions' reads. The kernel's read_bytes decide where they are not 0; 0 may
/// also mean a file system that they do not count, so then residency before the read decides. A
/// file system in memory is memory.
[[nodiscard]] ReadOrigin read_origin(const Measurement& measurement);

/// One sentence on whether the read bandwidth is that of a disk or of memory.
[[nodiscard]] std::string medium_sentence(const Measurement& measurement);

}  // namespace beff::b_eff_io
