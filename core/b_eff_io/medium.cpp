#include "core/b_eff_io/medium.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace beff::b_eff_io {
namespace {

constexpr double kNearlyNone = 0.05;

Medium judge(double disk_share) {
  if (disk_share >= kDiskShare) {
    return Medium::kDisk;
  }
  return disk_share <= kNearlyNone ? Medium::kMemory : Medium::kMixed;
}

Bytes bytes_read(const Measurement& measurement) {
  Bytes sum = 0;
  for (const auto& type : measurement.types) {
    sum += type.access == Access::kRead ? type.bytes : 0;
  }
  return sum;
}

}  // namespace

ReadOrigin read_origin(const Measurement& measurement) {
  if (measurement.file_system.in_memory) {
    return {Medium::kMemory, 0.0};
  }
  Bytes files = 0;
  std::optional<Bytes> resident;
  std::optional<Bytes> from_disk;
  for (const auto& state : measurement.cache) {
    if (state.access != Access::kRead) {
      continue;
    }
    if (state.resident_before) {
      files += state.file_bytes;
      resident = resident.value_or(0) + *state.resident_before;
    }
    if (state.read_from_disk) {
      from_disk = from_disk.value_or(0) + *state.read_from_disk;
    }
  }
  std::optional<double> share;
  if (resident && files > 0) {
    share = std::clamp(1 - static_cast<double>(*resident) / static_cast<double>(files), 0.0, 1.0);
  }
  const Bytes read = bytes_read(measurement);
  if (from_disk && read > 0 && *from_disk > 0) {
    const double counted = static_cast<double>(*from_disk) / static_cast<double>(read);
    share = std::min(share.value_or(1), counted);
  }
  if (share) {
    return {judge(*share), share};
  }
  return {Medium::kUnknown, std::nullopt};
}

std::string medium_sentence(const Measurement& measurement) {
  const auto origin = read_origin(measurement);
  const double percent = 100 * origin.disk_share.value_or(0);
  switch (origin.medium) {
    case Medium::kDisk:
      return fmt::format(
          "The read bandwidth is that of the file system: reads came from it, not from page cache "
          "({:.0f} %).",
          percent);
    case Medium::kMemory:
      if (measurement.file_system.in_memory) {
        return "All bandwidths are those of memory: the file system lies in memory.";
      }
      return fmt::format(
          "The read bandwidth is that of memory, not of a disk: {:.0f} % of the data came from the "
          "nodes' page caches.",
          100 - percent);
    case Medium::kMixed:
      return fmt::format(
          "The read bandwidth is a mixture of memory and file system: {:.0f} % of the data came "
          "from the "
          "nodes' page caches.",
          100 - percent);
    case Medium::kUnknown:
      break;
  }
  return "Whether the read bandwidth is that of a disk or of memory is not known: this system "
         "reports neither what was in the page caches nor what was read from disk.";
}

}  // namespace beff::b_eff_io
