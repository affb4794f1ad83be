#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/b_eff_io/plan.hpp"
#include "core/b_eff_io/sample.hpp"
#include "core/benchmark.hpp"
#include "core/record/result.hpp"

namespace beff::b_eff_io {

/// One figure per official type, by its number.
using FigureByType = std::array<Figure, kOfficialTypes>;

/// Mean over the types, scatter counted twice: (2·b0 + b1 + b2 + b3 + b4) / 6.
[[nodiscard]] Figure access_average(const FigureByType& types);

/// Release 1: 25 % initial write + 25 % rewrite + 50 % read.
[[nodiscard]] Figure value_1(const Figure& write, const Figure& rewrite, const Figure& read);

/// Release 2.1: √(W·R) with R = access_average(read) and W = (w0 + x0 + w1 + w2 + w3 + w4) / 6,
/// where x0 is the rewrite of the scatter type.
[[nodiscard]] Figure value_2_1(const FigureByType& write, const Figure& rewrite_scatter,
                               const FigureByType& read);

/// One pattern in one access method, as release 0.5 sees it.
struct WeightedTransfer {
  Bytes bytes;
  Seconds time;
  int time_units;
};

/// Release 0.5: the average weighted by the time units, ΣU·b / ΣU with b = bytes / time (Euro-Par
/// paper, section 4). With ideal times it is all bytes / all transfer times. Empty when a pattern
/// with U > 0 has no time.
[[nodiscard]] Figure value_0_5(std::span<const WeightedTransfer> transfers);

struct AccessFigures {
  FigureByType types;
  FigureByType weighted;  ///< of each type, ΣU·b / ΣU over its patterns (`wbw` of release 2.1)
  Figure average;         ///< access_average()
  Bytes bytes = 0;        ///< of the official types

  /// Number of the type with the highest bandwidth; empty where none has one.
  [[nodiscard]] std::optional<std::size_t> best_type() const;
};

struct PartitionFigures {
  std::array<AccessFigures, 3> access;  ///< by index_of(Access)
  std::array<Figure, kReleases.size()> values;

  [[nodiscard]] const AccessFigures& operator[](Access a) const { return access.at(index_of(a)); }
  [[nodiscard]] const Figure& operator[](Release r) const { return values.at(index_of(r)); }
};

/// Everything that is derived from the samples.
struct Figures {
  std::vector<PartitionFigures> partitions;     ///< in the plan's order
  std::array<Figure, kReleases.size()> values;  ///< maximum over the partitions
  std::optional<std::size_t> best;  ///< partition with the maximum by the plan's release
  std::array<Bytes, 3> bytes{};     ///< of all partitions, by access

  [[nodiscard]] const Figure& operator[](Release r) const { return values.at(index_of(r)); }
};

/// Condenses a measurement; random types do not enter.
[[nodiscard]] Figures condense(const Plan& plan, const Measurement& measurement);

/// What agreeing on when to stop took in a partition.
struct DecisionCost {
  std::int64_t count = 0;
  Seconds each = 0;
  Figure share;  ///< count · each / time of all loops
};

[[nodiscard]] DecisionCost decision_cost(const Measurement& measurement, std::size_t partition);

/// A non-wellformed pattern against its counterpart with 8 byte less in each chunk.
struct WellformedPair {
  int plus8;       ///< pattern number
  int wellformed;  ///< pattern number
};

/// The pairs with chunks of 1 kB, 32 kB and 1 MB of the official types in the plan.
[[nodiscard]] std::vector<WellformedPair> wellformed_pairs(const Plan& plan);

/// Bandwidth of one pattern, MB/s.
[[nodiscard]] Figure pattern_bandwidth(const Measurement& measurement, int partition, int pattern,
                                       Access access);

/// b(+8) / b(wellformed) of a pair in one access method of one partition.
[[nodiscard]] Figure wellformed_ratio(const Measurement& measurement, int partition,
                                      const WellformedPair& pair, Access access);

/// Logarithmic mean of wellformed_ratio() over all pairs, as a factor.
[[nodiscard]] Figure wellformed_factor(const Plan& plan, const Measurement& measurement,
                                       int partition, Access access);

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

/// Whether the read bandwidth is that of a disk or of memory.
[[nodiscard]] Statement medium_of(const Measurement& measurement);

/// A run with everything that a report needs.
struct Result : ResultHead {
  Measurement measurement;
  Figures figures{};
  Statement medium{};  ///< is the read bandwidth that of a disk or of memory?

  /// The value by the plan's release.
  [[nodiscard]] const Figure& value(const Plan& plan) const { return figures[plan.release]; }
  /// How long writing all memory would take at that value; empty where one of them is not known.
  [[nodiscard]] std::optional<double> memory_write_minutes(const Plan& plan) const;
  /// The value as a share of what the hardware promises; empty where one of them is not known.
  [[nodiscard]] std::optional<double> percent_of_peak(const Plan& plan) const;
};

/// The rules a result must meet to be compared: docs/reference/definitions-b_eff_io.md.
[[nodiscard]] std::vector<Criterion> validity_criteria(const Plan& plan,
                                                       const Environment& environment,
                                                       const Measurement& measurement,
                                                       const Figures& figures);

/// What a reader should know although it does not make the result invalid.
[[nodiscard]] std::vector<Statement> cautions(const Plan& plan, const Environment& environment,
                                              const Measurement& measurement,
                                              const Figures& figures);

/// Derives figures, criteria and cautions from a measurement.
[[nodiscard]] Result make_result(const Plan& plan, ResultHead head, Measurement measurement);

/// The result file (python/beff/result, benchmark "b_eff_io").
[[nodiscard]] Json to_json(const Plan& plan, const Result& result);

/// Lines of the journal: one pattern, one type.
[[nodiscard]] Json to_json(const Plan& plan, const Sample& sample);
[[nodiscard]] Json to_json(const TypeSample& type);
/// What the schedule found out, without what follows from the samples.
[[nodiscard]] Json to_json(const PartitionNotes& notes);

/// The fields of the result file that describe the plan; partitions without figures.
[[nodiscard]] Json plan_fields(const Plan& plan);

/// What a reader looks at: where it was measured, for each partition the table by position, access
/// and type with its totals and published summary lines, every pattern's sample, notes on caches,
/// hints and data checks, criteria and cautions.
[[nodiscard]] std::string summary_text(const Plan& plan, const Result& result);

/// The readable protocol: the summary and the last line.
[[nodiscard]] std::string protocol_text(const Plan& plan, const Result& result);

/// The procedure, and in a line of its own the value, "b_eff_io of these measurements = …", stamped
/// NOT VALID where a criterion is not met.
[[nodiscard]] std::string last_line(const Plan& plan, const Result& result);

/// `--plan=json`: the fields of the result file that describe the plan, partitions without figures,
/// with `definition`, `ideal_s` of each pattern by access, and `space`.
[[nodiscard]] Json plan_json(const Plan& plan, std::optional<Bytes> free = {});

}  // namespace beff::b_eff_io
