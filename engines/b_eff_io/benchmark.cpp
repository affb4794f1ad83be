#include "engines/b_eff_io/benchmark.hpp"

#include <utility>

#include "engines/common/communicator.hpp"

namespace beff::b_eff_io {
Benchmark::Benchmark(const Plan& plan, const Nodes& nodes, const RunFiles& files,
                     const ExecutorSettings& settings, Watchdog& watchdog, BenchmarkHooks hooks)
    : settings_(&settings),
      hooks_(std::move(hooks)),
      schedule_(plan, world_rank()),
      executor_(plan, nodes, files, settings, watchdog) {}

Ending Benchmark::run() {
  while (const auto order = schedule_.next()) {
    hooks_.order(*order);
    const auto phase = order->phase;
    const auto partition = static_cast<std::size_t>(order->partition);
    schedule_.completed(executor_.execute(*order));
    if (phase == Phase::kCalibrate || phase == Phase::kClose) {
      hooks_.notes(partition, schedule_.partitions().at(partition));
    }
    publish();
  }
  return schedule_.ending();
}

void Benchmark::publish() {
  for (; samples_told_ < schedule_.samples().size(); ++samples_told_) {
    hooks_.sample(schedule_.samples()[samples_told_]);
  }
  for (; types_told_ < schedule_.types().size(); ++types_told_) {
    hooks_.type(schedule_.types()[types_told_]);
  }
}

Measurement Benchmark::measurement() const {
  Measurement measured;
  measured.samples = schedule_.samples();
  measured.types = schedule_.types();
  measured.partitions = schedule_.partitions();
  measured.data_check = {.mode = std::string(to_string(settings_->verify)),
                         .chunks_checked = schedule_.chunks_checked(),
                         .wrong_chunks = schedule_.wrong_chunks(),
                         .first_error = executor_.first_wrong()};
  measured.cache = executor_.cache();
  measured.hints = executor_.hints();
  measured.shared_pointers = settings_->pointer == Pointer::kShared;
  measured.reader_shifted = executor_.readers_are_shifted();
  measured.elapsed = executor_.elapsed();
  measured.complete = schedule_.complete();
  switch (schedule_.ending()) {
    case Ending::kStopped:
      measured.stopped_by = executor_.stop_reason().value_or("a process asked for it");
      break;
    case Ending::kAbort:
      measured.stopped_by =
          "a file could not be synchronised, and closing it together might never end";
      break;
    default:
      break;
  }
  return measured;
}

}  // namespace beff::b_eff_io
