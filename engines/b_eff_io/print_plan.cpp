#include <fmt/format.h>

#include "core/b_eff_io/plan_text.hpp"
#include "core/record/json.hpp"
#include "engines/b_eff_io/disk_estimate.hpp"
#include "engines/b_eff_io/run.hpp"

namespace beff::b_eff_io {

void print_plan(const Options& options, const RunContext& /*context*/, const PlanPlace& place) {
  const auto plan = planned(options, {.processes = place.processes,
                                      .memory_per_process = place.memory.per_process,
                                      .striping_unit = std::nullopt,
                                      .reserve = 0});
  const auto disk = options.folders.all ? estimate_disk(*options.folders.all) : DiskEstimate{};
  if (options.plan_as_json) {
    fmt::print("{}\n", plan_json(plan, disk).dump(1));
  } else {
    fmt::print("{}", plan_text(plan, disk));
  }
}

}  // namespace beff::b_eff_io
