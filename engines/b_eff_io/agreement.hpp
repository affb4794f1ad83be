#pragma once

#include <mpi.h>

#include <optional>
#include <string>

#include "core/b_eff_io/order.hpp"

namespace beff::b_eff_io {

/// All processes of `comm` pass what they see and get what all have seen, by one reduction: maxima
/// of elapsed, now, error and stop, the minimum of free. Collective.
[[nodiscard]] Outcome agree(MPI_Comm comm, const Outcome& mine);

/// The text of the lowest rank that has one, on all ranks; empty when none has. Collective.
[[nodiscard]] std::string first_text(MPI_Comm comm, const std::optional<std::string>& mine);

/// Waits until all processes of `comm` have come, without keeping a core busy: those that do not
/// belong to a partition wait for it for minutes, on cores that others measure with. Collective.
void meet_idly(MPI_Comm comm);

}  // namespace beff::b_eff_io
