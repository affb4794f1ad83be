#include "core/b_eff_io/plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <stdexcept>

#include "core/b_eff_io/layout.hpp"
#include "core/b_eff_io/pattern_table.hpp"
#include "core/benchmark.hpp"

namespace beff::b_eff_io {
namespace {

Bytes chunk_bytes(const PatternRow& entry, Bytes m_part) {
  constexpr Bytes k32kB = 32 * kKiB;
  switch (entry.chunk) {
    case Chunk::k1kB:
      return kKiB + entry.extra;
    case Chunk::k32kB:
      return k32kB + entry.extra;
    case Chunk::k1MB:
      return kMiB + entry.extra;
    case Chunk::kMPart:
      return m_part + entry.extra;
    case Chunk::kRest:
      break;
  }
  return 0;
}

}  // namespace

Bytes m_part(Bytes process_memory, Bytes bound) {
  constexpr Bytes kShare = 128;
  return std::max(kSmallestMPart, std::min(process_memory / kShare, bound) / kMiB * kMiB);
}

std::vector<Pattern> make_patterns(const std::vector<Type>& types, Bytes m_part) {
  std::vector<Pattern> patterns;
  for (const auto& entry : kPatternRows) {
    if (std::ranges::find(types, entry.type) == types.end()) {
      continue;
    }
    const Bytes chunk = chunk_bytes(entry, m_part);
    patterns.push_back({.number = entry.number,
                        .type = entry.type,
                        .kind = entry.kind,
                        .chunk = chunk,
                        .memory = entry.memory > 0 ? entry.memory : chunk,
                        .time_units = entry.time_units,
                        .wellformed = entry.extra == 0,
                        .position = entry.position});
  }
  return patterns;
}

namespace {

std::vector<int> planned_partitions(std::vector<int> partitions, int processes) {
  if (partitions.empty()) {
    return default_partitions(processes);
  }
  for (const int n : partitions) {
    if (n < 1 || n > processes) {
      throw PlanError(
          "partitions",
          fmt::format("{}: a partition has 1 to {} processes; start more or ask for fewer", n,
                      processes));
    }
  }
  std::ranges::sort(partitions);
  partitions.erase(std::ranges::unique(partitions).begin(), partitions.end());
  return partitions;
}

void check(const PlanRequest& request) {
  if (request.processes < 1) {
    throw PlanError("processes", fmt::format("{}: at least 1 is needed", request.processes));
  }
  if (!(request.time >= 0) || !std::isfinite(request.time)) {
    throw PlanError("time", "must be longer than 0");
  }
  if (request.memory_per_process <= 0) {
    throw PlanError("memory-per-process", "must be larger than 0");
  }
  if (request.max_chunk && *request.max_chunk < kSmallestMPart) {
    throw PlanError("max-chunk", fmt::format("{}: the largest chunk has at least 2 MiB",
                                             format_size(*request.max_chunk)));
  }
  const Bytes unit = request.unit_of_segments();
  if (unit < kMiB || unit % 8 != 0) {
    throw PlanError("segment-unit", fmt::format("{} B: a multiple of 8 byte from 1 MiB on", unit));
  }
  if (request.max_segment && *request.max_segment < unit) {
    throw PlanError("max-segment",
                    fmt::format("{}: a segment has at least {}", format_size(*request.max_segment),
                                format_size(unit)));
  }
}

int official_units(const Plan& plan, Access access) {
  int time_units = 0;
  for (const Type type : plan.types) {
    time_units += row(type).official && plan.has(access, type) ? time_units_of(type) : 0;
  }
  return time_units;
}

std::string seconds_cell(const Plan& plan, const Pattern& pattern, Access access) {
  if (!plan.has(access, pattern.type)) {
    return "-";
  }
  return pattern.time_units > 0 ? fmt::format("{:.3f}", ideal_time(plan, pattern)) : "once";
}

std::string size_cell(Bytes bytes) { return bytes > 0 ? fmt::format("{}", bytes) : "rest"; }

/// T where rewrite and read take `factor` times as long as the write.
Seconds time_if_slower(const Plan& plan, double rewrite, double read) {
  return access_time(plan, Access::kWrite) + rewrite * access_time(plan, Access::kRewrite) +
         read * access_time(plan, Access::kRead);
}

void write_time(std::back_insert_iterator<std::string> out, const Plan& plan) {
  fmt::format_to(out, "time, scheduled {}\n", format_duration(planned_time(plan)));
  fmt::format_to(out,
                 "time, longer    {} where rewrite and read take twice as long as the write, {} "
                 "where ten times\n",
                 format_duration(time_if_slower(plan, 2, 2)),
                 format_duration(time_if_slower(plan, 10, 10)));
  fmt::format_to(out, "                a time limit ends a run earlier, with a partial result\n");
}

}  // namespace

RewriteSet PlanRequest::rewritten() const {
  return rewrite.value_or(release == Release::k2_1 ? RewriteSet::kScatterOnly : RewriteSet::kAll);
}

Bytes PlanRequest::unit_of_segments() const {
  return segment_unit.value_or(std::max(kMiB, striping_unit.value_or(kMiB)));
}

bool Plan::has(Type type) const { return std::ranges::find(types, type) != types.end(); }

bool Plan::has(Access access, Type type) const {
  return has(type) &&
         (access != Access::kRewrite || rewritten() == RewriteSet::kAll || type == Type::kScatter);
}

std::vector<Pattern> Plan::patterns_of(Type type) const {
  std::vector<Pattern> list;
  std::ranges::copy_if(patterns, std::back_inserter(list),
                       [type](const Pattern& p) { return p.type == type; });
  return list;
}

const Pattern& Plan::pattern(int number) const {
  const auto entry = std::ranges::find(patterns, number, &Pattern::number);
  if (entry == patterns.end()) {
    throw std::out_of_range(fmt::format("pattern {} is not in the plan", number));
  }
  return *entry;
}

std::vector<Type> planned_types(std::vector<Type> types) {
  if (types.empty()) {
    for (const auto& entry : kTypes) {
      if (entry.official) {
        types.push_back(entry.type);
      }
    }
    return types;
  }
  std::ranges::sort(types);
  types.erase(std::ranges::unique(types).begin(), types.end());
  if (std::ranges::all_of(types, [](Type t) { return row(t).counted; })) {
    throw PlanError(
        "types", fmt::format("without 0, 1 or 2: type {} takes its repetitions from them; add one",
                             index_of(types.front())));
  }
  return types;
}

std::vector<int> default_partitions(int processes) {
  if (processes == 3 || processes == 4) {
    return {processes - 2, processes - 1, processes};
  }
  const double log2n = std::log2(processes);
  std::vector<int> partitions;
  for (const double share : {0.35, 0.70}) {
    partitions.push_back(static_cast<int>(1U << static_cast<unsigned>(std::lround(share * log2n))));
  }
  partitions.push_back(processes);
  std::ranges::sort(partitions);
  partitions.erase(std::ranges::unique(partitions).begin(), partitions.end());
  return partitions;
}

Plan make_plan(const PlanRequest& request) {
  check(request);
  Plan plan(request);
  plan.partitions = planned_partitions(request.partitions, request.processes);
  plan.types = planned_types(request.types);
  if (plan.time == 0) {
    plan.time = shortest_valid_time(plan.release, plan.partitions.size());
  }
  const Bytes memory = request.memory_per_process;
  plan.m_part = m_part(memory, request.max_chunk.value_or(kLargestMPart));
  plan.m_part_bounded = plan.m_part < m_part(memory, memory);
  plan.patterns = make_patterns(plan.types, plan.m_part);
  const Bytes smallest = minimal_space(plan) - plan.reserve;
  if (plan.max_data && *plan.max_data < smallest) {
    throw PlanError("max-data",
                    fmt::format("{}: one call of each pattern writes {} already; allow as much, or "
                                "make the largest chunk smaller with --max-chunk",
                                format_size(*plan.max_data), format_size(smallest)));
  }
  return plan;
}

Seconds shortest_valid_time(Release release, std::size_t partitions) {
  constexpr Seconds kMinute = 60;
  const auto number = static_cast<double>(partitions);
  switch (release) {
    case Release::k0_5:
      return 10 * kMinute * number;
    case Release::k1:
      return 15 * kMinute * number;
    case Release::k2_1:
      break;
  }
  return 30 * kMinute;
}

Seconds partition_time(const Plan& plan) {
  return plan.time / static_cast<double>(plan.partitions.size());
}

Seconds unit_time(const Plan& plan) {
  int time_units = 0;
  for (const Access access : kAccesses) {
    time_units += official_units(plan, access);
  }
  return partition_time(plan) / time_units;
}

Seconds ideal_time(const Plan& plan, const Pattern& pattern) {
  return unit_time(plan) * pattern.time_units;
}

Seconds block_time(const Plan& plan, Access access) {
  int time_units = 0;
  for (const Type type : plan.types) {
    time_units += plan.has(access, type) ? time_units_of(type) : 0;
  }
  return unit_time(plan) * time_units;
}

Seconds access_time(const Plan& plan, Access access) {
  return block_time(plan, access) * static_cast<double>(plan.partitions.size());
}

Seconds planned_time(const Plan& plan) {
  Seconds sum = 0;
  for (const Access access : kAccesses) {
    sum += access_time(plan, access);
  }
  return sum;
}

std::int64_t planned_samples(const Plan& plan) {
  std::int64_t of_partition = 0;
  for (const Access access : kAccesses) {
    of_partition += std::ranges::count_if(
        plan.patterns, [&](const Pattern& p) { return plan.has(access, p.type); });
  }
  return of_partition * static_cast<std::int64_t>(plan.partitions.size());
}

Bytes smallest_data(const Plan& plan, int n) {
  Bytes sum = 0;
  for (const Type type : plan.types) {
    Bytes of_process = 0;
    for (const auto& pattern : plan.patterns) {
      of_process += pattern.type == type ? pattern.memory : 0;
    }
    sum += n * (row(type).in_segments() ? segment_size(of_process, plan.unit_of_segments())
                                        : of_process);
  }
  return sum;
}

Bytes minimal_space(const Plan& plan) {
  Bytes sum = plan.reserve;
  for (const int n : plan.partitions) {
    sum += smallest_data(plan, n);
  }
  return sum;
}

bool is_official(const Plan& plan) {
  const auto official = std::ranges::count_if(plan.types, [](Type t) { return row(t).official; });
  return official == kOfficialTypes && !plan.max_data && !plan.max_segment &&
         (plan.release == Release::k2_1 || plan.rewritten() == RewriteSet::kAll);
}

std::string plan_text(const Plan& plan, std::optional<Bytes> free) {
  std::string text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "b_eff_io by release {} on {} processes, partitions of {} processes\n",
                 to_string(plan.release), plan.processes, fmt::join(plan.partitions, ", "));
  fmt::format_to(out, "order: write all partitions, rewrite all ({}), read all\n",
                 plan.rewritten() == RewriteSet::kAll ? "all types" : "scatter type only");
  fmt::format_to(out, "procedure {}: {}\n", to_string(plan.procedure), explained(plan.procedure));
  fmt::format_to(out, "M_PART {}, type 1 with {} file pointers\n\n", format_size(plan.m_part),
                 to_string(plan.pointer));
  fmt::format_to(out, "{:>3} {:<15} {:>10} {:>10} {:>2} {:>10} {:>10} {:>10}\n", "no", "type",
                 "l [byte]", "L [byte]", "U", "write [s]", "rewr. [s]", "read [s]");
  for (const auto& p : plan.patterns) {
    fmt::format_to(out, "{:>3} {:<15} {:>10} {:>10} {:>2} {:>10} {:>10} {:>10}\n", p.number,
                   row(p.type).name, size_cell(p.chunk), size_cell(p.memory), p.time_units,
                   seconds_cell(plan, p, Access::kWrite), seconds_cell(plan, p, Access::kRewrite),
                   seconds_cell(plan, p, Access::kRead));
  }
  fmt::format_to(
      out,
      "\nTimes are of one partition. The loops of types 0-2 keep to them in the initial write; a "
      "sync that follows comes on top.\nTypes 3 and 4 repeat numbers of calls that follow from "
      "those; rewrite and read repeat the calls of the initial\nwrite, however long that "
      "takes.\n\n");
  write_time(out, plan);
  fmt::format_to(
      out, "space, at least {} (one call of each pattern{})\n", format_size(minimal_space(plan)),
      plan.reserve > 0 ? fmt::format(", and {} kept free", format_size(plan.reserve)) : "");
  if (free) {
    fmt::format_to(out, "space, free     {}; {}\n", format_size(*free),
                   *free < minimal_space(plan) ? "that is too little, and a run is refused"
                                               : "loops end before it is used up");
  }
  if (const Seconds needed = shortest_valid_time(plan.release, plan.partitions.size());
      plan.time < needed) {
    fmt::format_to(out, "\nToo short to be valid for comparison: that takes {:.0f} min\n",
                   needed / kSecondsPerMinute);
  }
  return text;
}

}  // namespace beff::b_eff_io
