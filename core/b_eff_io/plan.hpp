#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/b_eff_io/batch_control.hpp"
#include "core/b_eff_io/pattern_table.hpp"

namespace beff::b_eff_io {

/// File pointer of type 1. With individual pointers the result is not valid for comparison.
enum class Pointer : std::uint8_t { kShared, kIndividual };

/// Which types the rewrite goes through: all (releases 0.5 and 1) or scatter only (2.1).
enum class RewriteSet : std::uint8_t { kAll, kScatterOnly };

[[nodiscard]] constexpr std::string_view to_string(Pointer pointer) {
  return pointer == Pointer::kShared ? "shared" : "individual";
}

[[nodiscard]] constexpr std::string_view to_string(RewriteSet set) {
  return set == RewriteSet::kAll ? "all" : "scatter";
}

/// What is done with the nodes' page caches and with the files; the value depends on it.
enum class Procedure : std::uint8_t {
  kCold,      ///< dropped before the read, looked at; files removed after the clock
  kOriginal,  ///< left alone; files removed by the close of the read, as in release 2.1
};

[[nodiscard]] constexpr std::string_view to_string(Procedure procedure) {
  return procedure == Procedure::kCold ? "cold" : "original";
}

/// For the reader.
[[nodiscard]] constexpr std::string_view explained(Procedure procedure) {
  return procedure == Procedure::kCold
             ? "page caches dropped before the read, files removed after the clock"
             : "page caches left alone, files removed by the close of the read";
}

/// What is asked for, and where. Defaults are the official schedule.
struct PlanRequest {
  int processes = 0;  ///< N
  Bytes memory_per_process = 0;
  Seconds time = 0;  ///< T, for all partitions together; 0: shortest_valid_time()
  Release release = Release::k1;
  Procedure procedure = Procedure::kCold;
  std::vector<int> partitions;        ///< numbers of processes; empty: default_partitions()
  std::vector<Type> types;            ///< empty: the five official ones
  std::optional<RewriteSet> rewrite;  ///< empty: as the release wants it
  Pointer pointer = Pointer::kShared;
  std::optional<Bytes> max_data;       ///< bound of what all partitions together write
  std::optional<Bytes> max_segment;    ///< bound of L_SEG
  std::optional<Bytes> max_chunk;      ///< bound of M_PART; empty: kLargestMPart
  std::optional<Bytes> segment_unit;   ///< empty: 1 MiB or a larger striping unit
  std::optional<Bytes> striping_unit;  ///< of the file system, where it is known
  Bytes reserve = 0;                   ///< free space of the file system that is never touched
  std::uint64_t seed = 0;              ///< of the random types; at most kLargestSeed

  /// Which types the rewrite goes through.
  [[nodiscard]] RewriteSet rewritten() const;
  /// L_SEG is rounded up to a multiple of it.
  [[nodiscard]] Bytes unit_of_segments() const;
};

/// Everything that is fixed before the first measurement, the same on all processes: the request,
/// with rising partitions, types in order of their numbers and no list empty, and what follows.
struct Plan : PlanRequest {
  Bytes m_part = 0;
  bool m_part_bounded = false;  ///< memory of a process / 128 would be larger
  std::vector<Pattern> patterns;

  /// Nothing follows yet: see make_plan().
  explicit Plan(const PlanRequest& request) : PlanRequest(request) {}

  [[nodiscard]] bool has(Type type) const;
  /// Whether `access` goes through `type`.
  [[nodiscard]] bool has(Access access, Type type) const;
  [[nodiscard]] std::vector<Pattern> patterns_of(Type type) const;
  [[nodiscard]] const Pattern& pattern(int number) const;
};

/// 2^round(0.35·log2 N), 2^round(0.70·log2 N) and N, without repeats, rising, and release 2.1's two
/// exceptions: 1, 2, 3 for N = 3 and 2, 3, 4 for N = 4. N ≥ 1.
[[nodiscard]] std::vector<int> default_partitions(int processes);

/// The types that a plan goes through when these are asked for. Throws PlanError.
[[nodiscard]] std::vector<Type> planned_types(std::vector<Type> types);

/// Throws PlanError.
[[nodiscard]] Plan make_plan(const PlanRequest& request);

/// T for so many partitions without which the value is not valid: release 0.5 asks for 10 min and
/// release 1 for 15 min of each (IPDPS paper, 5.1), release 2.1 for 30 min of all together.
[[nodiscard]] Seconds shortest_valid_time(Release release, std::size_t partitions);

/// T of one partition: T divided by the partitions, as in release 2.1.
[[nodiscard]] Seconds partition_time(const Plan& plan);

/// Seconds per time unit U: partition_time() shared by 64 units for the write, 64 (or 22: scatter
/// only) for the rewrite and 64 for the read when all official types run.
[[nodiscard]] Seconds unit_time(const Plan& plan);

/// The ideal time of a pattern in each access method: its U in unit_time().
[[nodiscard]] Seconds ideal_time(const Plan& plan, const Pattern& pattern);

/// Sum of the ideal times of one partition in one access method, random types included.
[[nodiscard]] Seconds block_time(const Plan& plan, Access access);

/// Sum of block_time() over all partitions: T is that of the official types in all access methods.
[[nodiscard]] Seconds access_time(const Plan& plan, Access access);

/// T and, on top of it, the time of the random types; what a run takes whose rewrites and reads are
/// as fast as its writes.
[[nodiscard]] Seconds planned_time(const Plan& plan);

/// Number of samples that a whole run records.
[[nodiscard]] std::int64_t planned_samples(const Plan& plan);

/// Bytes that one call of each pattern writes in a partition of n processes.
[[nodiscard]] Bytes smallest_data(const Plan& plan, int n);

/// Free space in byte without which not even one call per pattern fits, reserve included.
[[nodiscard]] Bytes minimal_space(const Plan& plan);

/// `--plan`: what would be measured, how long each pattern gets, how long the run may take, and how
/// much space; `free` is what the folder has, where there is one.
[[nodiscard]] std::string plan_text(const Plan& plan, std::optional<Bytes> free);

/// True for a schedule whose value the release defines: all five types, nothing bounded by the
/// user.
[[nodiscard]] bool is_official(const Plan& plan);

}  // namespace beff::b_eff_io
