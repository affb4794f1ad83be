#pragma once

#include <cstdint>
#include <functional>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/json_fwd.hpp"
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

}  // namespace beff::pairs
