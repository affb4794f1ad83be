#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/pairs/matrix.hpp"
#include "core/record/json_fwd.hpp"
#include "core/record/result.hpp"

namespace beff::pairs {

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
