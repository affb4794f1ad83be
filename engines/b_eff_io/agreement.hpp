#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <optional>

#include "core/b_eff_io/machine.hpp"

namespace beff::b_eff_io {

/// How processes wait for each other.
enum class Waiting : std::uint8_t {
  kSpinning,  ///< as the library does
  kNapping,   ///< where processes share cores: those that wait leave theirs to the others
};

/// All processes of a communicator pass what they see and get what all have seen, by one reduction:
/// maxima of elapsed, now, error, stop and clock, the minimum of free. It may go on while its
/// processes do other things. All must call the same functions in the same order, advance()
/// excepted.
class Agreement {
 public:
  explicit Agreement(Waiting waiting) : waiting_(waiting) {}

  /// Agrees on `mine` at once, and ends what was being agreed on before.
  [[nodiscard]] Outcome reach(MPI_Comm comm, const Outcome& mine);
  /// Begins to agree on `mine`, which waits for nobody. Returns what was being agreed on before, if
  /// something was; for that it waits.
  std::optional<Outcome> begin(MPI_Comm comm, const Outcome& mine);
  /// Lets the library go on with it, without waiting.
  void advance();
  [[nodiscard]] bool under_way() const { return under_way_; }

 private:
  std::optional<Outcome> finish();

  Waiting waiting_;
  std::array<double, 5> values_{};
  MPI_Request request_ = MPI_REQUEST_NULL;
  bool under_way_ = false;
};

/// Waits until all processes of `comm` have come. Collective.
void meet(MPI_Comm comm, Waiting waiting);

/// The same without keeping a core busy, and with longer naps: processes that do not belong to a
/// partition wait for it for minutes, on cores that others measure with. Collective.
void meet_idly(MPI_Comm comm);

}  // namespace beff::b_eff_io
