#pragma once

#include "core/b_eff_io/plan.hpp"
#include "engines/b_eff_io/executor.hpp"
#include "engines/b_eff_io/options.hpp"
#include "engines/common/nodes.hpp"

namespace beff::b_eff_io {

/// The plan of the measured run: where T is to be kept by a probe, makes that probe on files of its
/// own, which are gone afterwards, and splits what is left of T, which began at `begin` by
/// MPI_Wtime(), by what it found. Nothing of it is recorded but the plan that follows from it.
/// Collective over MPI_COMM_WORLD; throws UsageError as RunFiles::create() does.
[[nodiscard]] Plan plan_by_probe(const Plan& plan, const Nodes& nodes,
                                 const ExecutorSettings& settings, const Options& options,
                                 Seconds begin);

}  // namespace beff::b_eff_io
