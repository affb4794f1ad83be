#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/b_eff_io/figures.hpp"
#include "core/b_eff_io/plan.hpp"
#include "core/b_eff_io/sample.hpp"
#include "core/record/result.hpp"

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

/// The result file (python/beff/model, benchmark "b_eff_io").
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
