#pragma once

#include "core/pairs/measure_network.hpp"

namespace beff::pairs {

/// The matrix of the plan: kMatrixLoops loops of 2.5 to 5 ms, of at least one iteration, each as
/// long as the one before says, as in b_eff; then kMatrixLooks single iterations. Returns why it
/// ended early.
Stop measure_matrix(const NetworkTask& task);

}  // namespace beff::pairs
