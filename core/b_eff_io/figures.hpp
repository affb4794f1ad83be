#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "core/b_eff_io/plan.hpp"
#include "core/b_eff_io/sample.hpp"
#include "core/figure.hpp"

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

}  // namespace beff::b_eff_io
