#pragma once

#include <mpi.h>

#include <array>
#include <optional>
#include <string>

#include "core/b_eff_io/order.hpp"

namespace beff::b_eff_io {

/// All processes of `comm` pass what they see and get what all have seen, by one reduction: maxima
/// of elapsed, now, error and stop, the minimum of free. Collective.
[[nodiscard]] Outcome agree(MPI_Comm comm, const Outcome& mine);

/// The same, going on while its processes do other things. All processes must call the same
/// functions in the same order, advance() excepted.
class PendingAgreement {
 public:
  /// Begins to agree on `mine`, which waits for nobody. Returns what was being agreed on before,
  /// for which it waits; without that, an outcome that is not `known`.
  [[nodiscard]] Outcome begin(MPI_Comm comm, const Outcome& mine);
  /// Lets the library go on with it, without waiting.
  void advance();
  /// Agrees on `mine` at once, and ends what was being agreed on before.
  [[nodiscard]] Outcome end(MPI_Comm comm, const Outcome& mine);
  [[nodiscard]] bool under_way() const { return under_way_; }

 private:
  Outcome finish();

  std::array<double, 5> values_{};
  MPI_Request request_ = MPI_REQUEST_NULL;
  bool under_way_ = false;
};

/// The text of the lowest rank that has one, on all ranks; empty when none has. Collective.
[[nodiscard]] std::string first_text(MPI_Comm comm, const std::optional<std::string>& mine);

/// Waits until all processes of `comm` have come, without keeping a core busy: those that do not
/// belong to a partition wait for it for minutes, on cores that others measure with. Collective.
void meet_idly(MPI_Comm comm);

}  // namespace beff::b_eff_io
