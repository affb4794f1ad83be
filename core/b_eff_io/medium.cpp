#include "core/b_eff_io/result.hpp"

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

/// What was seen of all partitions' reads; empty what is known of none.
struct SeenReads {
  Bytes files = 0;  ///< of those with a known residency
  std::optional<Bytes> resident;
  std::optional<Bytes> from_disk;
  std::optional<Bytes> by_devices;
};

void add_to(std::optional<Bytes>& sum, const std::optional<Bytes>& bytes) {
  if (bytes) {
    sum = sum.value_or(0) + *bytes;
  }
}

SeenReads sum_up(const std::vector<CacheState>& states) {
  SeenReads seen;
  bool all_by_devices = true;
  for (const auto& state : states) {
    if (state.access == Access::kRead) {
      seen.files += state.resident_before ? state.file_bytes : 0;
      add_to(seen.resident, state.resident_before);
      add_to(seen.from_disk, state.read_from_disk);
      add_to(seen.by_devices, state.read_by_devices);
      all_by_devices = all_by_devices && state.read_by_devices;
    }
  }
  if (!all_by_devices) {  // a run that was ended in the middle of one
    seen.by_devices.reset();
  }
  return seen;
}

}  // namespace

ReadOrigin read_origin(const Measurement& measurement) {
  const auto& file_system = measurement.file_system;
  if (file_system.in_memory) {
    return {Medium::kMemory, 0.0};
  }
  const auto read = static_cast<double>(bytes_read(measurement));
  const auto seen = sum_up(measurement.cache);
  std::optional<double> share;
  const auto lower_to = [&](double found) {
    share = std::clamp(std::min(share.value_or(1), found), 0.0, 1.0);
  };
  if (seen.resident && seen.files > 0) {
    lower_to(1 - static_cast<double>(*seen.resident) / static_cast<double>(seen.files));
  }
  if (seen.from_disk && *seen.from_disk > 0 && read > 0) {
    lower_to(static_cast<double>(*seen.from_disk) / read);
  }
  const bool knows_devices = file_system.reads_seen_by == ReadsSeenBy::kDevices;
  if (knows_devices && seen.by_devices && read > 0) {
    lower_to(static_cast<double>(*seen.by_devices) / read);
  }
  const bool sees_enough = file_system.reads_seen_by != ReadsSeenBy::kNothing;
  if (!share || (!sees_enough && *share >= kDiskShare)) {
    return {Medium::kUnknown, std::nullopt};
  }
  return {judge(*share), share};
}

Statement medium_of(const Measurement& measurement) {
  const auto origin = read_origin(measurement);
  const double percent = 100 * origin.disk_share.value_or(0);
  switch (origin.medium) {
    case Medium::kDisk:
      return {"read from the file system", {{"disk_percent", percent}}};
    case Medium::kMemory:
      return measurement.file_system.in_memory
                 ? Statement{"files in memory"}
                 : Statement{"read from memory", {{"cached_percent", 100 - percent}}};
    case Medium::kMixed:
      return {"read from both", {{"cached_percent", 100 - percent}}};
    case Medium::kUnknown:
      break;
  }
  return {measurement.file_system.reads_seen_by == ReadsSeenBy::kNothing ? "caches not counted"
                                                                         : "origin not reported"};
}

}  // namespace beff::b_eff_io
