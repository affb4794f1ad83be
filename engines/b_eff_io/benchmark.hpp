#pragma once

#include <functional>

#include "core/b_eff_io/plan.hpp"
#include "core/b_eff_io/sample.hpp"
#include "core/b_eff_io/schedule.hpp"
#include "engines/b_eff_io/executor.hpp"

namespace beff::b_eff_io {

/// What a run does beside measuring; rank 0 fills in what it needs.
struct BenchmarkHooks {
  std::function<void(const Sample&)> sample = [](const Sample&) {};
  std::function<void(const TypeSample&)> type = [](const TypeSample&) {};
  /// When the schedule may have found out something about a partition.
  std::function<void(std::size_t, const PartitionNotes&)> notes = [](std::size_t,
                                                                     const PartitionNotes&) {};
  /// Before an order is carried out.
  std::function<void(const Order&)> order = [](const Order&) {};
};

/// Goes through a plan.
class Benchmark {
 public:
  /// The references must outlive the benchmark. Collective over MPI_COMM_WORLD.
  Benchmark(const Plan& plan, const Nodes& nodes, const RunFiles& files,
            const ExecutorSettings& settings, Watchdog& watchdog, BenchmarkHooks hooks);

  /// Collective over MPI_COMM_WORLD, except that after an abort processes may still wait in it.
  Ending run();

  /// What has been measured so far; everything on rank 0 only. Without file system and leftovers.
  [[nodiscard]] Measurement measurement() const;

 private:
  void publish();

  const ExecutorSettings* settings_;
  BenchmarkHooks hooks_;
  Schedule schedule_;
  Executor executor_;
  std::size_t samples_told_ = 0;
  std::size_t types_told_ = 0;
};

}  // namespace beff::b_eff_io
