#pragma once

#include <cstdint>
#include <functional>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/json_fwd.hpp"
#include "core/record/result.hpp"
#include "core/units/quantity_text.hpp"

namespace beff::pairs {

struct Plan;

/// `count` messages of `bytes` each.
struct MatrixRow {
  int from = 0;
  int to = 0;
  Bytes bytes = 0;
  std::int64_t count = 0;
  friend bool operator==(const MatrixRow&, const MatrixRow&) = default;
};

/// Messages of presets, unless another size is asked for.
inline constexpr Bytes kPresetMessage = 64 * kKiB;
inline constexpr Bytes kMostMessageBytes = (Bytes{1} << 31) - 1;
/// Of a file.
inline constexpr std::size_t kMostMatrixRows = 10'000'000;
/// That a process sends or receives in an iteration.
inline constexpr std::int64_t kMostMessages = std::int64_t{1} << 20;

/// How a process sends its row of the matrix.
enum class MatrixMethod : std::uint8_t {
  kNonblocking,  ///< all MPI_Irecv, all MPI_Isend, MPI_Waitall
  kAlltoallv,    ///< one MPI_Alltoallv
};

[[nodiscard]] constexpr std::string_view to_string(MatrixMethod method) {
  return method == MatrixMethod::kNonblocking ? "nonblocking" : "alltoallv";
}

/// The matrix that is asked for.
struct MatrixRequest {
  std::string given;  ///< a file, or a preset
  MatrixMethod method = MatrixMethod::kNonblocking;
};

/// The rows in the order of sender, receiver and size; equal messages are one row, and those of no
/// byte none.
[[nodiscard]] std::vector<MatrixRow> ordered(std::vector<MatrixRow> rows);

/// Reads a matrix between so many processes: lines of `from to bytes [count]`, or a sparse Matrix
/// Market file, whose values are bytes. In the order of `ordered()`. Throws PlanError, which names
/// `file` and the line.
[[nodiscard]] std::vector<MatrixRow> read_matrix(std::istream& stream, const std::string& file,
                                                 int processes);

/// Whether another seed makes another matrix.
[[nodiscard]] bool is_drawn(std::string_view given);

/// Whether a preset is meant; a file of such a name can be given as `./NAME`.
[[nodiscard]] bool is_preset(std::string_view given);

/// A matrix that follows from a few numbers, so that each process makes its own part of it.
class Preset {
 public:
  /// Throws PlanError.
  Preset(const std::string& given, int processes, Bytes message, std::uint64_t seed);

  /// In the order of `ordered()`.
  [[nodiscard]] std::vector<MatrixRow> rows_from(int rank) const;
  [[nodiscard]] std::vector<MatrixRow> rows_to(int rank) const;

 private:
  enum class Kind : std::uint8_t { kHalo, kAll, kExperts, kTranspose, kNearest };

  [[nodiscard]] std::vector<int> receivers_of(int rank) const;
  [[nodiscard]] std::vector<int> senders_to(int rank) const;
  [[nodiscard]] std::vector<int> halo_of(int rank) const;
  [[nodiscard]] std::vector<int> nearest_to(int rank) const;
  [[nodiscard]] int expert(int rank, int place) const;
  [[nodiscard]] bool is_expert(int rank, int of) const;

  Kind kind_ = Kind::kAll;
  int processes_;
  int number_ = 0;  ///< dimensions or K
  Bytes message_;
  std::uint64_t seed_;
};

/// What a matrix is in sum, of an iteration.
struct MatrixTotals {
  std::int64_t rows = 0;
  std::int64_t messages = 0;
  Bytes bytes = 0;
  std::int64_t most_messages = 0;  ///< that a process sends or receives
  Bytes most_bytes = 0;            ///< the same, each message rounded up to a multiple of 8
  std::uint64_t digest = 0;        ///< a sum over the rows, so in any order
};

/// Sums of the rows that begin, and that end, at a process.
struct MatrixShare {
  std::vector<MatrixRow> sends;
  std::vector<MatrixRow> receives;
};

/// Of the sends of a process; most of either.
[[nodiscard]] MatrixTotals totals_of(const MatrixShare& share);

/// Of a whole matrix: `each` calls its argument with each row.
[[nodiscard]] MatrixTotals totals_of_all(
    int processes, const std::function<void(const std::function<void(const MatrixRow&)>&)>& each);

/// Loops that are timed.
inline constexpr int kMatrixLoops = 9;
/// Iterations behind a barrier, each alone, in which each process notes when what has come.
inline constexpr int kMatrixLooks = 5;

/// Takes the totals of the matrix that is asked for into the plan. Throws PlanError where a process
/// would need more memory or requests than there are.
void plan_matrix(Plan& plan, const MatrixTotals& totals);

/// Where messages of the matrix lie: an iteration uses one block of a buffer, which is as large as
/// that of the process with the most, and the next iteration the next.
struct MatrixBlocks {
  Bytes block = 0;
  std::int64_t count = 0;
};
/// As many blocks as fit 6 min(16 MiB, memory per process / 128), at least one.
[[nodiscard]] MatrixBlocks blocks_of(const Plan& plan);

/// Bytes of a message with what is between it and the next.
[[nodiscard]] constexpr Bytes padded(Bytes bytes) {
  constexpr Bytes kAlignment = 8;
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

/// A timed loop; `ns` of all of it, on its slowest process.
struct MatrixLoopResult {
  std::int64_t length = 0;
  std::int64_t ns = 0;
  int slowest_rank = 0;
};

/// What a process saw of one iteration behind a barrier, in seconds from its begin.
struct MatrixLook {
  static constexpr int kNobody = -1;

  Seconds done = 0;         ///< all that it sends and receives
  Seconds last = 0;         ///< all that it receives
  Seconds others = 0;       ///< the same, but for what `last_from` sent; 0 where that is all
  int last_from = kNobody;  ///< whose message came last; kNobody where that is not known
  int padding = 0;
};

/// A process: what it moves in an iteration, and how long that takes it.
struct MatrixRank {
  int rank = 0;
  Bytes sent = 0;
  Bytes received = 0;
  std::int64_t ns = 0;                    ///< of an iteration of the best loop
  std::int64_t single_ns = 0;             ///< of an iteration behind a barrier, the median
  std::optional<std::int64_t> last_ns;    ///< of it, when its last message came
  std::optional<std::int64_t> others_ns;  ///< when all had come but for those of `last_from`
  std::optional<int> last_from;
  /// How long it waited for one of several partners alone; empty where that is not known.
  [[nodiscard]] std::optional<std::int64_t> alone_ns() const {
    return last_ns && others_ns ? std::optional(*last_ns - *others_ns) : std::nullopt;
  }
};

/// Processes that are kept: the slowest ones by `single_ns`, where there are more.
inline constexpr std::size_t kMostRanksKept = 4096;
/// Rows of a file that are kept; of a matrix with more, none.
inline constexpr std::size_t kMostRowsKept = 100'000;

struct MatrixRecord {
  std::vector<MatrixLoopResult> loops;
  std::vector<MatrixRank> ranks;               ///< in their order
  std::optional<std::vector<MatrixRow>> rows;  ///< of a file
  DataCheck check;
};

/// The ranks with the look in the middle of each, by `looks[look][rank]`; `times` are seconds of an
/// iteration of the best loop. `sent` and `received` are left at 0.
[[nodiscard]] std::vector<MatrixRank> ranks_of(const std::vector<Seconds>& times,
                                               const std::vector<std::vector<MatrixLook>>& looks);
/// The slowest kMostRanksKept of them, in their order.
[[nodiscard]] std::vector<MatrixRank> kept(std::vector<MatrixRank> ranks);

struct MatrixFigures {
  double iteration_us = 0;  ///< of the best loop, on the slowest process
  double MBps = 0;          ///< all bytes of the matrix in that time
  std::size_t best = 0;     ///< that loop
};
/// Empty where no loop was measured.
[[nodiscard]] std::optional<MatrixFigures> matrix_figures(const Plan& plan,
                                                          const MatrixRecord& record);

/// A process or host, and how many processes wait for it alone at last: for more than a quarter of
/// their iteration behind a barrier, in which all else has come. Of units with one such process
/// nothing is said: chance is enough for it.
struct WaitedFor {
  int unit = 0;
  int processes = 0;
};
/// The most waited for first; `unit_of` are the units of the ranks.
[[nodiscard]] std::vector<WaitedFor> waited_for(const MatrixRecord& record,
                                                const std::vector<int>& unit_of);

/// Fields of the plan, of the result and of its summary; null where there is no matrix.
[[nodiscard]] Json matrix_plan_json(const Plan& plan);
[[nodiscard]] Json matrix_json(const Plan& plan, const MatrixRecord& record);
[[nodiscard]] Json matrix_summary(const Plan& plan, const MatrixRecord& record);
/// Lines of the journal: a loop, and all that is behind the loops.
[[nodiscard]] Json to_json(const MatrixLoopResult& loop);
[[nodiscard]] Json matrix_end_json(const MatrixRecord& record);

/// How ranks and units are named.
struct MatrixNames {
  std::vector<std::string> of_ranks;
  std::vector<std::string> of_units;
  std::vector<int> unit_of;  ///< of each rank

  [[nodiscard]] const std::string& of_unit(int unit) const {
    return of_units.at(static_cast<std::size_t>(unit));
  }
};

/// What is planned, and what was found, in words.
[[nodiscard]] std::string matrix_plan_text(const Plan& plan);
[[nodiscard]] std::string matrix_text(const Plan& plan, const MatrixRecord& record,
                                      const MatrixNames& names);
/// Its part of the last line.
[[nodiscard]] std::string matrix_words(const Plan& plan, const MatrixRecord& record);

}  // namespace beff::pairs
