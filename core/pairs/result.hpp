#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/pairs/machine.hpp"
#include "core/pairs/network.hpp"
#include "core/pairs/pair_map.hpp"
#include "core/pairs/plan.hpp"
#include "core/pairs/roofs.hpp"
#include "core/record/result.hpp"

namespace beff::pairs {

/// What a run has measured so far.
struct Measurement : RunRecord {
  PairMap map;
  NetworkRecord network;
  Roofs roofs;
};

/// A run with everything that a report needs.
struct Result : ResultHead {
  Measurement measurement;
};

/// Derives criteria and cautions from a measurement.
Result make_result(const Plan& plan, ResultHead head, Measurement measurement);

/// The result file (python/beff/model, benchmark "b_pairs").
Json to_json(const Plan& plan, const Result& result);

/// `--plan=json`: field `plan` of the result.
Json plan_json(const Plan& plan);

/// A round and a retest as lines of the journal.
Json to_json(const Place& place, const RoundTimes& times);
Json to_json(const Retest& retest);

}  // namespace beff::pairs
