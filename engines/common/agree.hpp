#pragma once

#include <mpi.h>

#include <functional>
#include <optional>
#include <string>

namespace beff {

/// Runs `check` on rank 0 of MPI_COMM_WORLD; when it throws UsageError or RunError there, every
/// process throws the same. Collective.
void check_on_rank_0(const std::function<void()>& check);

/// Rank 0's value on all ranks. Collective.
int from_rank_0(int value);
unsigned long long from_rank_0(unsigned long long value);
std::string from_rank_0(std::string text);

/// The text of the lowest rank of `comm` that has one, on all ranks; empty when none has.
/// Collective.
[[nodiscard]] std::string first_text(MPI_Comm comm, const std::optional<std::string>& mine);

}  // namespace beff
