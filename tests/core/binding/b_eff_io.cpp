// The core of b_eff_io.
#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>

#include "core/b_eff_io/hints.hpp"
#include "core/b_eff_io/layout.hpp"
#include "core/b_eff_io/measure.hpp"
#include "core/b_eff_io/partition.hpp"
#include "core/b_eff_io/plan.hpp"
#include "core/b_eff_io/result.hpp"
#include "entry.hpp"

namespace beff::b_eff_io {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(PlanRequest, processes, memory_per_process, time,
                                                release, procedure, partitions, types, rewrite,
                                                pointer, max_data, max_segment, max_chunk,
                                                segment_unit, reserve, seed)

}  // namespace beff::b_eff_io

/// A plan passes with the request from which it follows.
template <>
struct nlohmann::adl_serializer<beff::b_eff_io::Plan> {
  static beff::b_eff_io::Plan from_json(const beff::Json& fields) {
    return make_plan(fields.at("request").get<beff::b_eff_io::PlanRequest>());
  }
};

namespace beff::b_eff_io {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(HintLimits, key, value)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Extent, file, offset, length, stream)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(View, displacement, block, stride)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Block, partition, processes, access)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TypeWork, partition, processes, access, type)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Outcome, elapsed, free, error, stop, text)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(FinishOutcome, elapsed, free, error, stop, text,
                                                checked, wrong)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Room, on_disk, in_bound)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(SegmentLimits, unit, max_segment, per_process)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(BatchLimits, once, count, time, rule,
                                                bytes_per_round, reserve, allowance,
                                                allowance_reason)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Sample, partition, pattern, access, repetitions, bytes, time,
                                   loop_time, decisions, status, stop, error)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TypeSample, partition, type, access, bytes, open, close,
                                   patterns, status, error)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CountedTypes, segment, cut, scale)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(PartitionNotes, decision_cost, counted)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(DataCheck, mode, chunks_checked, wrong_chunks,
                                                first_error)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(CacheState, partition, access, file_bytes,
                                                resident_before, read_from_disk, read_by_devices,
                                                dropped)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(HintNote, partition, access, type, pattern, requested, accepted)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(FileSystem, paths, kind, cache, in_memory,
                                                reads_seen_by, note)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Measurement, samples, types, partitions, complete, stopped_by,
                                   shared_pointers, data_check, cache, hints, file_system)

void to_json(Json& fields, const Pattern& pattern) {
  fields = {{"number", pattern.number},
            {"type", pattern.type},
            {"kind", pattern.kind},
            {"chunk", pattern.chunk},
            {"memory", pattern.memory},
            {"time_units", pattern.time_units},
            {"wellformed", pattern.wellformed},
            {"position", pattern.position},
            {"chunks_per_call", pattern.chunks_per_call()},
            {"reported", pattern.reported()}};
}

void to_json(Json& fields, const Placement& place) {
  fields = {{"type", place.type},
            {"processes", place.processes},
            {"chunk", place.chunk},
            {"chunks_per_call", place.chunks_per_call},
            {"base", place.base},
            {"segment", place.segment},
            {"slots", place.slots},
            {"seed", place.seed},
            {"bytes_per_round", place.bytes_per_round()}};
}
void from_json(const Json& fields, Placement& place) {
  place = {.type = fields.at("type"),
           .processes = fields.at("processes"),
           .chunk = fields.at("chunk"),
           .chunks_per_call = fields.value("chunks_per_call", std::int64_t{1}),
           .base = fields.value("base", Bytes{0}),
           .segment = fields.value("segment", Bytes{0}),
           .slots = fields.value("slots", std::int64_t{0}),
           .seed = fields.value("seed", std::uint64_t{0})};
}

void to_json(Json& fields, const PatternWork& work) {
  fields = static_cast<const TypeWork&>(work);
  fields.update({{"pattern", work.pattern},
                 {"placement", work.placement},
                 {"reposition", work.reposition},
                 {"rewritten", work.rewritten}});
}

namespace {

using testing::Ask;
using List = std::vector<std::optional<double>>;

Json planned(const PlanRequest& request) {
  const auto plan = make_plan(request);
  return {{"request", request},
          {"processes", plan.processes},
          {"partitions", plan.partitions},
          {"types", plan.types},
          {"patterns", plan.patterns},
          {"m_part", plan.m_part},
          {"m_part_bounded", plan.m_part_bounded},
          {"unit_time", unit_time(plan)},
          {"planned_time", planned_time(plan)},
          {"minimal_space", minimal_space(plan)},
          {"is_official", is_official(plan)}};
}

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

/// What is common to the counted types, and chunk and calls of each pattern, from the calls of
/// types 0-2.
Json counted_types(const Plan& plan, const std::map<int, std::int64_t>& calls,
                   const SegmentLimits& limits) {
  std::vector<PatternState> states;
  for (const auto& pattern : plan.patterns) {
    const auto found = calls.find(pattern.number);
    const bool usable = found != calls.end();
    states.push_back({.pattern = pattern, .calls = usable ? found->second : 0, .usable = usable});
  }
  const auto counted = plan_counted_types(states, limits);
  std::map<int, std::pair<Bytes, std::int64_t>> patterns;
  for (const auto& state : states) {
    if (row(state.pattern.type).counted) {
      patterns[state.pattern.number] = {state.pattern.chunk, state.reserved};
    }
  }
  return {counted.segment, to_string(counted.cut), counted.scale, patterns};
}

/// Asks how each batch went until there is no answer; where the batches stand then.
Json batches(const BatchLimits& limits, Seconds decision_cost, const Ask& ask) {
  BatchControl control(limits, decision_cost);
  while (true) {
    Json state = {{"batch", control.batch()},
                  {"stopped", or_null(control.stopped())},
                  {"calls", control.calls()},
                  {"decisions", control.decisions()}};
    const auto outcome = ask(state);
    if (outcome.is_null()) {
      return state;
    }
    control.completed(outcome.get<Outcome>());
  }
}

/// A machine that is a script, which is asked for the outcome of each verb.
class ScriptedMachine : public Machine {
 public:
  explicit ScriptedMachine(Ask ask) : ask_(std::move(ask)) {}

  Outcome meet(const Block& block) override { return asked("meet", block); }
  Outcome calibrate(const Block& block) override { return asked("calibrate", block); }
  Outcome open(const TypeWork& type) override { return asked("open", type); }
  Outcome start(const PatternWork& pattern) override {
    return asked("calls", pattern, {{"calls", 1}});
  }
  Outcome calls(const PatternWork& pattern, const Batch& batch) override {
    return asked("calls", pattern, {{"first_call", batch.first}, {"calls", batch.calls}});
  }
  FinishOutcome finish(const PatternWork& pattern, const PatternEnd& end) override {
    return asked("finish", pattern, {{"calls", end.calls}, {"sync", end.sync}});
  }
  Outcome close(const TypeWork& type) override { return asked("close", type); }
  Outcome end() override { return asked("end", Json::object()); }

 private:
  FinishOutcome asked(const char* verb, Json about, const Json& more = Json::object()) {
    about["verb"] = verb;
    about.update(more);
    return ask_(about).get<FinishOutcome>();
  }

  Ask ask_;
};

/// How a run ends on a rank, and what it has measured.
Json measured_by(const Plan& plan, int rank, const Ask& ask) {
  ScriptedMachine machine(ask);
  Measurement measured;
  const auto ending = measure(plan, rank, machine, measured);
  return {ending, measured};
}

/// How long a run still takes at its begin and after each of these samples.
std::vector<Seconds> forecast(const Plan& plan, const std::vector<Sample>& samples) {
  Forecast forecast(plan);
  std::vector<Seconds> left{forecast.to_come()};
  for (const auto& sample : samples) {
    forecast.note(sample);
    left.push_back(forecast.to_come());
  }
  return left;
}

FigureByType by_type(const List& list) {
  FigureByType figures;
  std::ranges::copy(list, figures.begin());
  return figures;
}

/// Where a result was made up.
struct MadeUp {
  Bytes total_memory = kGiB;
  std::string build_type = "Release";
  bool simulated = false;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(MadeUp, total_memory, build_type, simulated)

/// A machine good enough for results made up in tests.
Environment environment_of(int processes, const MadeUp& made_up) {
  Environment environment;
  environment.started_at = "2001-04-23T08:00:00Z";
  environment.finished_at = "2001-04-23T08:30:00Z";
  environment.uname = {"Linux", "node1", "6.1.0", "#1 SMP", "x86_64"};
  environment.hosts = {{"node1", processes}};
  environment.placement.assign(static_cast<std::size_t>(processes), 0);
  environment.processes = processes;
  environment.memory = {.per_process = made_up.total_memory / processes,
                        .total = made_up.total_memory,
                        .source = "given"};
  environment.mpi = {"made up", "4.1", "MPI_THREAD_SINGLE"};
  environment.omp_num_threads = "4,2";
  environment.binding.cores_per_process_min = 2;
  environment.binding.cores_per_process_max = 4;
  environment.build_type = made_up.build_type;
  environment.simulated = made_up.simulated;
  return environment;
}

Json result(const Plan& plan, const Measurement& measurement, const MadeUp& made_up) {
  const auto made = make_result(plan,
                                {.program = {"b_eff_io", "0.1.0", "unknown"},
                                 .environment = environment_of(plan.processes, made_up),
                                 .options = std::make_shared<const Json>(Json::object())},
                                measurement);
  return {{"json", to_json(plan, made)},
          {"protocol", protocol_text(plan, made)},
          {"last_lines", last_line(plan, made) + "\n"}};
}

}  // namespace
}  // namespace beff::b_eff_io

beff::testing::Computations beff::testing::computations_of_b_eff_io() {
  using namespace b_eff_io;  // NOLINT(google-build-using-namespace)
  const auto parsed = [](const std::string& text) {
    return Hints::parse(text, {.key = 255, .value = 1024});
  };
  return {
      {"make_patterns", over(&make_patterns)},
      {"m_part", over(&m_part)},
      {"type_name", over([](Type type) { return row(type).name; })},
      {"type_named", over([](const std::string& name) { return type_named(name); })},
      {"advance", over([](const Placement& placement, std::int64_t calls) {
         return placement.advance(calls);
       })},
      {"extents", over(&extents)},
      {"view_of", over(&view_of)},
      {"file_name", over(&file_name)},
      {"default_partitions", over(&default_partitions)},
      {"plan", over(&planned)},
      {"has",
       over([](const Plan& plan, Access access, Type type) { return plan.has(access, type); })},
      {"ideal_time",
       over([](const Plan& plan, int number) { return ideal_time(plan, plan.pattern(number)); })},
      {"block_time", over(&block_time)},
      {"smallest_data", over(&smallest_data)},
      {"plan_text", over(&plan_text)},
      {"plan_json", over(&plan_json)},
      {"all_hints", over([](const std::string& text, const HintLimits& limits) {
         return Hints::parse(text, limits).all();
       })},
      {"check_hints", over([parsed](const std::string& text, const std::vector<int>& partitions) {
         parsed(text).check_partitions(partitions);
         return true;
       })},
      {"hints_on_open",
       over([parsed](const std::string& text, int processes, Access access, Type type) {
         return parsed(text).on_open(processes, access, type);
       })},
      {"hints_before_pattern",
       over([parsed](const std::string& text, int processes, Access access, int pattern) {
         return parsed(text).before_pattern(processes, access, pattern);
       })},
      {"counted_types", over(&counted_types)},
      {"batches", over(&batches)},
      {"room_of", over(&room_of)},
      {"space_budget", over([](const Plan& plan, std::size_t partition, int pattern, Bytes round,
                               const Room& room) {
         const auto budget = space_budget(plan, partition, plan.pattern(pattern), round, room);
         return std::pair(budget.bytes, budget.by_max_data);
       })},
      {"space_budget_of_counted",
       over([](const Plan& plan, std::size_t partition, const Room& room) {
         const auto budget = space_budget_of_counted(plan, partition, room);
         return std::pair(budget.bytes, budget.by_max_data);
       })},
      {"measure", over(&measured_by)},
      {"forecast", over(&forecast)},
      {"access_average", over([](const List& types) { return access_average(by_type(types)); })},
      {"value_1", over(&value_1)},
      {"value_2_1",
       over([](const List& write, const std::optional<double>& rewrite_scatter, const List& read) {
         return value_2_1(by_type(write), rewrite_scatter, by_type(read));
       })},
      {"value_0_5", over([](const std::vector<std::tuple<Bytes, Seconds, int>>& list) {
         std::vector<WeightedTransfer> transfers;
         for (const auto& [bytes, time, time_units] : list) {
           transfers.push_back({bytes, time, time_units});
         }
         return value_0_5(transfers);
       })},
      {"result", over(&result)},
  };
}
