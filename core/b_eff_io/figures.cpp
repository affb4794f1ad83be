
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/b_eff_io/result.hpp"

namespace beff::b_eff_io {
namespace {

/// Mean over the five types and, as a sixth, another figure of the scatter type.
Figure with_second_scatter(const FigureByType& types, const Figure& scatter) {
  if (!scatter) {
    return std::nullopt;
  }
  double sum = *scatter;
  for (const auto& type : types) {
    if (!type) {
      return std::nullopt;
    }
    sum += *type;
  }
  return sum / (kOfficialTypes + 1);
}

bool official(const Plan& plan, int pattern) { return row(plan.pattern(pattern).type).official; }

/// All 43 patterns in all three access methods, or none.
std::optional<std::vector<WeightedTransfer>> all_transfers(const Plan& plan,
                                                           const Measurement& measurement,
                                                           int partition) {
  std::vector<WeightedTransfer> transfers;
  for (const auto& sample : measurement.samples) {
    if (sample.partition != partition || !official(plan, sample.pattern)) {
      continue;
    }
    if (sample.status != Status::kMeasured) {
      return std::nullopt;
    }
    const auto& pattern = plan.pattern(sample.pattern);
    transfers.push_back(
        {.bytes = sample.bytes, .time = sample.time, .time_units = pattern.time_units});
  }
  if (transfers.size() != kPatterns * kAccesses.size()) {
    return std::nullopt;
  }
  return transfers;
}

/// Empty unless all its patterns with U > 0 were measured.
Figure weighted_of_type(const Plan& plan, const Measurement& measurement, int partition,
                        Access access, Type type) {
  std::vector<WeightedTransfer> transfers;
  for (const auto& s : measurement.samples) {
    const auto& pattern = plan.pattern(s.pattern);
    if (s.partition == partition && s.access == access && pattern.type == type &&
        pattern.reported()) {
      if (s.status != Status::kMeasured) {
        return std::nullopt;
      }
      transfers.push_back({.bytes = s.bytes, .time = s.time, .time_units = pattern.time_units});
    }
  }
  const auto reported = std::ranges::count_if(plan.patterns, [&](const Pattern& pattern) {
    return pattern.type == type && pattern.reported();
  });
  return std::cmp_equal(transfers.size(), reported) ? value_0_5(transfers) : std::nullopt;
}

PartitionFigures condense_partition(const Plan& plan, const Measurement& measurement,
                                    int partition) {
  PartitionFigures figures;
  for (const auto& type : measurement.types) {
    if (type.partition == partition && row(type.type).official) {
      auto& access = figures.access.at(index_of(type.access));
      access.types.at(index_of(type.type)) = type.bandwidth_MBps();
      access.bytes += type.bytes;
    }
  }
  for (const Access method : kAccesses) {
    auto& access = figures.access.at(index_of(method));
    access.average = access_average(access.types);
    for (std::size_t type = 0; type < kOfficialTypes; ++type) {
      access.weighted.at(type) =
          weighted_of_type(plan, measurement, partition, method, kTypes.at(type).type);
    }
  }
  const auto& write = figures[Access::kWrite];
  const auto& rewrite = figures[Access::kRewrite];
  const auto& read = figures[Access::kRead];
  const auto transfers = all_transfers(plan, measurement, partition);
  figures.values.at(index_of(Release::k0_5)) = transfers ? value_0_5(*transfers) : std::nullopt;
  figures.values.at(index_of(Release::k1)) = value_1(write.average, rewrite.average, read.average);
  figures.values.at(index_of(Release::k2_1)) =
      value_2_1(write.types, rewrite.types.at(index_of(Type::kScatter)), read.types);
  return figures;
}

}  // namespace

std::optional<std::size_t> AccessFigures::best_type() const {
  std::optional<std::size_t> best;
  for (std::size_t type = 0; type < types.size(); ++type) {
    if (types.at(type) && (!best || *types.at(type) > *types.at(*best))) {
      best = type;
    }
  }
  return best;
}

Figure access_average(const FigureByType& types) {
  return with_second_scatter(types, types.at(index_of(Type::kScatter)));
}

Figure value_1(const Figure& write, const Figure& rewrite, const Figure& read) {
  if (!write || !rewrite || !read) {
    return std::nullopt;
  }
  return 0.25 * *write + 0.25 * *rewrite + 0.5 * *read;
}

Figure value_2_1(const FigureByType& write, const Figure& rewrite_scatter,
                 const FigureByType& read) {
  const auto of_write = with_second_scatter(write, rewrite_scatter);
  const auto of_read = access_average(read);
  if (!of_write || !of_read) {
    return std::nullopt;
  }
  return std::sqrt(*of_write * *of_read);
}

Figure value_0_5(std::span<const WeightedTransfer> transfers) {
  double weighted = 0;
  double time_units = 0;
  for (const auto& t : transfers) {
    if (t.time_units > 0) {
      if (!(t.time > 0)) {
        return std::nullopt;
      }
      weighted += t.time_units * static_cast<double>(t.bytes) / t.time;
      time_units += t.time_units;
    }
  }
  if (!(time_units > 0)) {
    return std::nullopt;
  }
  return weighted / time_units / kBytesPerMB;
}

Figures condense(const Plan& plan, const Measurement& measurement) {
  Figures figures;
  for (std::size_t p = 0; p < plan.partitions.size(); ++p) {
    figures.partitions.push_back(condense_partition(plan, measurement, static_cast<int>(p)));
    const auto& partition = figures.partitions.back();
    for (std::size_t r = 0; r < kReleases.size(); ++r) {
      raise_to(figures.values.at(r), partition.values.at(r));
    }
    for (std::size_t a = 0; a < kAccesses.size(); ++a) {
      figures.bytes.at(a) += partition.access.at(a).bytes;
    }
    const auto& value = partition[plan.release];
    if (value &&
        (!figures.best || *value > figures.partitions[*figures.best][plan.release].value_or(0))) {
      figures.best = p;
    }
  }
  return figures;
}

DecisionCost decision_cost(const Measurement& measurement, std::size_t partition) {
  DecisionCost cost{.count = 0,
                    .each = measurement.partitions.at(partition).decision_cost,
                    .share = std::nullopt};
  Seconds loops = 0;
  for (const auto& sample : measurement.samples) {
    if (std::cmp_equal(sample.partition, partition)) {
      cost.count += sample.decisions;
      loops += sample.loop_time;
    }
  }
  if (loops > 0) {
    cost.share = static_cast<double>(cost.count) * cost.each / loops;
  }
  return cost;
}

Figure pattern_bandwidth(const Measurement& measurement, int partition, int pattern,
                         Access access) {
  for (const auto& sample : measurement.samples) {
    if (sample.partition == partition && sample.pattern == pattern && sample.access == access) {
      return sample.bandwidth_MBps();
    }
  }
  return std::nullopt;
}

std::vector<WellformedPair> wellformed_pairs(const Plan& plan) {
  constexpr Bytes kExtra = 8;
  std::vector<WellformedPair> pairs;
  for (const auto& pattern : plan.patterns) {
    if (pattern.wellformed || !row(pattern.type).official) {
      continue;
    }
    const auto counterpart = std::ranges::find_if(plan.patterns, [&](const Pattern& other) {
      return other.type == pattern.type && other.chunk == pattern.chunk - kExtra &&
             other.position > 0;
    });
    if (counterpart != plan.patterns.end()) {
      pairs.push_back({.plus8 = pattern.number, .wellformed = counterpart->number});
    }
  }
  return pairs;
}

Figure wellformed_ratio(const Measurement& measurement, int partition, const WellformedPair& pair,
                        Access access) {
  const auto plus8 = pattern_bandwidth(measurement, partition, pair.plus8, access);
  const auto wellformed = pattern_bandwidth(measurement, partition, pair.wellformed, access);
  return plus8 && wellformed ? Figure(*plus8 / *wellformed) : std::nullopt;
}

Figure wellformed_factor(const Plan& plan, const Measurement& measurement, int partition,
                         Access access) {
  std::vector<double> ratios;
  for (const auto& pair : wellformed_pairs(plan)) {
    if (const auto ratio = wellformed_ratio(measurement, partition, pair, access)) {
      ratios.push_back(*ratio);
    }
  }
  return logavg(ratios);
}

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
  const auto lower_to = [&](double bound) {
    share = std::clamp(std::min(share.value_or(1), bound), 0.0, 1.0);
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
