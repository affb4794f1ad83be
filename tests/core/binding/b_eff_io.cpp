// The core of b_eff_io.
#include <memory>

#include "core/b_eff_io/hints.hpp"
#include "core/b_eff_io/layout.hpp"
#include "core/b_eff_io/measure.hpp"
#include "core/b_eff_io/plan.hpp"
#include "core/b_eff_io/result.hpp"
#include "entry.hpp"

namespace beff::b_eff_io {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(PlanRequest, processes, memory_per_process, time,
                                                release, procedure, partitions, types, rewrite,
                                                pointer, max_data, max_segment, max_chunk,
                                                segment_unit, reserve, seed)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(HintLimits, key, value)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Extent, file, offset, length, stream)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Placement, type, processes, chunk, chunks_per_call,
                                                base, segment, slots, seed)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Block, partition, processes, access)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TypeWork, partition, processes, access, type)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(PatternWork, partition, processes, access, type, pattern,
                                   placement, reposition, rewritten)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(FinishOutcome, elapsed, free, error, stop, text,
                                                checked, wrong)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(DataCheck, mode, chunks_checked, wrong_chunks,
                                                first_error)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(CacheState, partition, access, file_bytes,
                                                resident_before, read_from_disk, read_by_devices,
                                                dropped)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(HintNote, partition, access, type, pattern, requested, accepted)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(FileSystem, paths, kind, cache, in_memory,
                                                reads_seen_by, note)

namespace {

std::vector<Extent> extents(const Placement& placement, int rank, std::int64_t first_call,
                            std::int64_t calls) {
  std::vector<Extent> list;
  const ChunkMap map(placement, rank);
  for (auto index = first_call * placement.chunks_per_call;
       index < (first_call + calls) * placement.chunks_per_call; ++index) {
    list.push_back(map[index]);
  }
  return list;
}

/// A machine that is a script, which is asked for the outcome of each verb.
class ScriptedMachine : public Machine {
 public:
  Outcome meet(const Block& block) override { return outcome("meet", block); }
  Outcome calibrate(const Block& block) override { return outcome("calibrate", block); }
  Outcome open(const TypeWork& type) override { return outcome("open", type); }
  Outcome start(const PatternWork& pattern) override {
    return outcome("calls", pattern, {{"calls", 1}});
  }
  Outcome calls(const PatternWork& pattern, const Batch& batch) override {
    return outcome("calls", pattern, {{"first_call", batch.first}, {"calls", batch.calls}});
  }
  FinishOutcome finish(const PatternWork& pattern, const PatternEnd& end) override {
    return outcome("finish", pattern, {{"calls", end.calls}, {"sync", end.sync}});
  }
  Outcome close(const TypeWork& type) override { return outcome("close", type); }
  Outcome end() override { return outcome("end", Json::object()); }

 private:
  static FinishOutcome outcome(const char* verb, Json about, const Json& more = Json::object()) {
    about["verb"] = verb;
    about.update(more);
    return testing::ask(about).get<FinishOutcome>();
  }
};

/// What is given when a file is opened and before a pattern, in the first of the partitions.
std::pair<HintMap, HintMap> given_hints(const std::string& text, const std::vector<int>& partitions,
                                        Access access, Type type, int pattern,
                                        const HintLimits& limits) {
  const auto hints = Hints::parse(text, limits);
  hints.check_partitions(partitions);
  const auto processes = partitions.front();
  return {hints.on_open(processes, access, type), hints.before_pattern(processes, access, pattern)};
}

/// A machine good enough for results of tests.
Environment environment_of(int processes) {
  Environment environment;
  environment.started_at = "2001-04-23T08:00:00Z";
  environment.finished_at = "2001-04-23T08:30:00Z";
  environment.uname = {"Linux", "node1", "6.1.0", "#1 SMP", "x86_64"};
  environment.hosts = {{"node1", processes}};
  environment.placement.assign(static_cast<std::size_t>(processes), 0);
  environment.processes = processes;
  environment.memory = {.total = kGiB, .source = "given"};
  environment.mpi = {"made up", "4.1", "MPI_THREAD_SINGLE"};
  environment.omp_num_threads = "4,2";
  environment.binding.cores_per_process_min = 2;
  environment.binding.cores_per_process_max = 4;
  environment.build_type = "Release";
  return environment;
}

/// How a run ends on a rank; of rank 0 also how long it still takes at its begin and after each
/// sample, and its result. What `beside` has stands in the place of what an engine notes.
Json run(const PlanRequest& request, int rank, const Json& beside) {
  const auto plan = make_plan(request);
  Forecast forecast(plan);
  std::vector<Seconds> to_come{forecast.to_come()};
  ScriptedMachine machine;
  Measurement measured;
  const auto ending = measure(plan, rank, machine, measured, {.sample = [&](const Sample& sample) {
                                forecast.note(sample);
                                to_come.push_back(forecast.to_come());
                              }});
  if (rank > 0) {
    return {{"ending", ending}};
  }
  auto environment = environment_of(plan.processes);
  const auto take = [&](const char* name, auto& field) {
    if (beside.contains(name)) {
      beside.at(name).get_to(field);
    }
  };
  take("complete", measured.complete);
  take("shared_pointers", measured.shared_pointers);
  take("data_check", measured.data_check);
  take("cache", measured.cache);
  take("hints", measured.hints);
  take("file_system", measured.file_system);
  take("total_memory", environment.memory.total);
  take("build_type", environment.build_type);
  take("simulated", environment.simulated);
  environment.memory.per_process = environment.memory.total / plan.processes;
  const auto result = make_result(plan,
                                  {.program = {"b_eff_io", "0.1.0", "unknown"},
                                   .environment = environment,
                                   .options = std::make_shared<const Json>(Json::object())},
                                  measured);
  return {{"ending", ending},
          {"to_come", to_come},
          {"result", to_json(plan, result)},
          {"protocol", protocol_text(plan, result)}};
}

}  // namespace
}  // namespace beff::b_eff_io

beff::testing::Computations beff::testing::computations_of_b_eff_io() {
  using namespace b_eff_io;  // NOLINT(google-build-using-namespace)
  return {
      {"b_eff_io.plan",
       over([](const PlanRequest& request) { return plan_json(make_plan(request)); })},
      {"b_eff_io.advance",
       over([](const Placement& place, std::int64_t calls) { return place.advance(calls); })},
      {"b_eff_io.extents", over(&extents)},
      {"b_eff_io.hints", over(&given_hints)},
      {"b_eff_io.run", over(&run)},
  };
}
