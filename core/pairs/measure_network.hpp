#pragma once

#include "core/pairs/measure.hpp"

namespace beff::pairs {

/// What the map leaves to what follows it.
struct NetworkTask {
  const Plan* plan;
  bool records;  ///< on rank 0, whose hooks are called
  Machine* machine;
  NetworkRecord* record;
  const Hooks* hooks;
  int first_pass;  ///< of what a hang names
  Seconds* took;   ///< since the start of the run, kept up to date
};

/// Bisection: pairs alone, all steps of the first halves within half of its time, then the steps of
/// the drawn halves in turn. Then each number of processes per host, then the matrix. Returns why
/// it ended early.
Stop measure_network(const NetworkTask& task);

}  // namespace beff::pairs
