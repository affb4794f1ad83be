#pragma once

#include <functional>
#include <string>

namespace beff {

/// Runs `check` on rank 0 of MPI_COMM_WORLD; when it throws UsageError or RunError there, every
/// process throws the same. Collective.
void check_on_rank_0(const std::function<void()>& check);

/// Rank 0's value on all ranks. Collective.
int from_rank_0(int value);
unsigned long long from_rank_0(unsigned long long value);

}  // namespace beff
