#include "core/b_eff_io/measure.hpp"

#include <algorithm>

#include "core/b_eff_io/type_pass.hpp"

namespace beff::b_eff_io {
namespace {

Ending end(Measuring& measuring) {
  measuring.noted(measuring.machine.end());
  return measuring.latest.stop ? Ending::kStopped : Ending::kDone;
}

/// A partition in an access method.
void measure_block(Measuring& measuring, const Block& block, PartitionState& state) {
  if (block.access == Access::kWrite) {
    measuring.notes_of(block).decision_cost =
        measuring.noted(measuring.machine.calibrate(block)).elapsed;
    measuring.show_notes(block);
  }
  for (auto& type : state.types) {
    if (measuring.latest.stop || measuring.aborted) {
      return;
    }
    if (measuring.plan.has(block.access, type.type)) {
      TypePass(measuring, block, state, type).run();
    }
  }
}

Ending measure_plan(Measuring& measuring, int rank) {
  const auto& partitions = measuring.plan.partitions;
  std::vector<PartitionState> states(partitions.size(), PartitionState(measuring.plan));
  for (const Access access : kAccesses) {
    for (std::size_t partition = 0; partition < partitions.size(); ++partition) {
      const Block block{.partition = static_cast<int>(partition),
                        .processes = partitions[partition],
                        .access = access};
      if (measuring.noted(measuring.machine.meet(block)).stop) {
        return end(measuring);
      }
      if (rank < block.processes) {
        measure_block(measuring, block, states[partition]);
      }
      if (measuring.aborted) {
        return Ending::kAbort;
      }
    }
  }
  return end(measuring);
}

}  // namespace

Ending measure(const Plan& plan, int rank, Machine& machine, Measurement& measured,
               const Hooks& hooks) {
  measured.partitions.resize(plan.partitions.size());
  Measuring measuring{.plan = plan, .machine = machine, .measured = measured, .hooks = hooks};
  const auto ending = measure_plan(measuring, rank);
  measured.complete =
      ending == Ending::kDone && std::ranges::all_of(measured.samples, [](const Sample& sample) {
        return sample.status == Status::kMeasured;
      });
  return ending;
}

Forecast::Forecast(const Plan& plan) : plan_(&plan) {
  for (const Access access : kAccesses) {
    progress_.at(index_of(access)).left = access_time(plan, access);
  }
}

void Forecast::note(const Sample& sample) {
  const auto& pattern = plan_->pattern(sample.pattern);
  const std::pair key{sample.partition, sample.pattern};
  if (sample.access == Access::kWrite) {
    const Seconds ideal = ideal_time(*plan_, pattern);
    write_times_[key] = sample.time;
    progress_.at(index_of(Access::kWrite)).left -= ideal;
    for (const Access later : {Access::kRewrite, Access::kRead}) {
      if (plan_->has(later, pattern.type)) {
        progress_.at(index_of(later)).left += sample.time - ideal;
      }
    }
    return;
  }
  auto& progress = progress_.at(index_of(sample.access));
  progress.left -= write_times_[key];
  progress.done += write_times_[key];
  progress.took += sample.time;
}

Seconds Forecast::to_come() const {
  Seconds sum = 0;
  for (const auto& progress : progress_) {
    sum += progress.left * (progress.done > 0 ? progress.took / progress.done : 1);
  }
  return std::max(0.0, sum);
}

}  // namespace beff::b_eff_io
