// The core of b_eff_io as seen by its tests: submodule `b_eff_io`. JSON passes as text.
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>
#include <nanobind/trampoline.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "bindings.hpp"
#include "core/b_eff_io/batch_control.hpp"
#include "core/b_eff_io/budget.hpp"
#include "core/b_eff_io/figures.hpp"
#include "core/b_eff_io/forecast.hpp"
#include "core/b_eff_io/hints.hpp"
#include "core/b_eff_io/layout.hpp"
#include "core/b_eff_io/measure.hpp"
#include "core/b_eff_io/medium.hpp"
#include "core/b_eff_io/plan.hpp"
#include "core/b_eff_io/plan_text.hpp"
#include "core/b_eff_io/protocol.hpp"
#include "core/b_eff_io/repetitions.hpp"
#include "core/b_eff_io/result.hpp"
#include "core/record/json.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace beff::b_eff_io {
namespace {

void bind_tables(nb::module_& m) {
  nb::enum_<Type>(m, "Type", nb::is_arithmetic())
      .value("SCATTER", Type::kScatter)
      .value("SHARED", Type::kShared)
      .value("SEPARATE", Type::kSeparate)
      .value("SEGMENTED", Type::kSegmented)
      .value("SEG_COLL", Type::kSegColl)
      .value("RANDOM_SHARED", Type::kRandomShared)
      .value("RANDOM_SEPARATE", Type::kRandomSeparate);
  nb::enum_<Access>(m, "Access", nb::is_arithmetic())
      .value("WRITE", Access::kWrite)
      .value("REWRITE", Access::kRewrite)
      .value("READ", Access::kRead);
  nb::enum_<Kind>(m, "Kind")
      .value("ONCE", Kind::kOnce)
      .value("TIMED", Kind::kTimed)
      .value("FILL_UP", Kind::kFillUp);
  nb::enum_<Release>(m, "Release")
      .value("R0_5", Release::k0_5)
      .value("R1", Release::k1)
      .value("R2_1", Release::k2_1);
  nb::enum_<Pointer>(m, "Pointer")
      .value("SHARED", Pointer::kShared)
      .value("INDIVIDUAL", Pointer::kIndividual);
  nb::enum_<RewriteSet>(m, "RewriteSet")
      .value("ALL", RewriteSet::kAll)
      .value("SCATTER_ONLY", RewriteSet::kScatterOnly);
  nb::class_<Pattern>(m, "Pattern")
      .def_ro("number", &Pattern::number)
      .def_ro("type", &Pattern::type)
      .def_ro("kind", &Pattern::kind)
      .def_ro("chunk", &Pattern::chunk)
      .def_ro("memory", &Pattern::memory)
      .def_ro("time_units", &Pattern::time_units)
      .def_ro("wellformed", &Pattern::wellformed)
      .def_ro("position", &Pattern::position)
      .def_prop_ro("chunks_per_call", &Pattern::chunks_per_call)
      .def_prop_ro("reported", &Pattern::reported);
  m.def("make_patterns", &make_patterns, "types"_a, "m_part"_a);
  m.def("m_part", &m_part, "process_memory"_a, "bound"_a);
  m.def("type_name", [](Type type) { return row(type).name; });
  m.def("type_named", &type_named);
  m.def("release_named", &release_named);
}

void bind_layout(nb::module_& m) {
  nb::class_<Placement>(m, "Placement")
      .def(
          "__init__",
          [](Placement* self, Type type, int processes, Bytes chunk, std::int64_t chunks_per_call,
             Bytes base, Bytes segment, std::int64_t slots, std::uint64_t seed) {
            new (self)
                Placement{type, processes, chunk, chunks_per_call, base, segment, slots, seed};
          },
          "type"_a, "processes"_a, "chunk"_a, "chunks_per_call"_a = 1, "base"_a = 0,
          "segment"_a = 0, "slots"_a = 0, "seed"_a = 0)
      .def_ro("type", &Placement::type)
      .def_ro("processes", &Placement::processes)
      .def_ro("chunk", &Placement::chunk)
      .def_ro("chunks_per_call", &Placement::chunks_per_call)
      .def_ro("base", &Placement::base)
      .def_ro("segment", &Placement::segment)
      .def_ro("slots", &Placement::slots)
      .def_prop_ro("bytes_per_call", &Placement::bytes_per_call)
      .def_prop_ro("bytes_per_round", &Placement::bytes_per_round)
      .def("advance", &Placement::advance);
  using ExtentTuple = std::tuple<int, Bytes, Bytes, Bytes>;
  m.def(
      "extents",
      [](const Placement& placement, int rank, std::int64_t first_call, std::int64_t calls) {
        std::vector<ExtentTuple> list;
        for_each_extent(placement, rank, first_call, calls, [&](const Extent& e) {
          list.emplace_back(e.file, e.offset, e.length, e.stream);
        });
        return list;
      },
      "placement"_a, "rank"_a, "first_call"_a, "calls"_a,
      "List of (file, offset, length, stream) in the order of moving.");
  m.def("view_of", [](const Placement& placement, int rank) {
    const auto view = view_of(placement, rank);
    return std::make_tuple(view.displacement, view.block, view.stride);
  });
  m.def("file_name", &file_name);
}

void bind_plan(nb::module_& m) {
  nb::class_<Plan>(m, "Plan")
      .def_ro("processes", &Plan::processes)
      .def_ro("partitions", &Plan::partitions)
      .def_ro("types", &Plan::types)
      .def_ro("time", &Plan::time)
      .def_prop_ro("rewrite", [](const Plan& plan) { return plan.rewritten(); })
      .def_ro("patterns", &Plan::patterns)
      .def_ro("m_part", &Plan::m_part)
      .def_ro("m_part_bounded", &Plan::m_part_bounded)
      .def("runs", &Plan::runs)
      .def("pattern", &Plan::pattern)
      .def_prop_ro("unit_time", &unit_time)
      .def_prop_ro("partition_time", &partition_time)
      .def_prop_ro("planned_time", &planned_time)
      .def_prop_ro("minimal_space", &minimal_space)
      .def_prop_ro("is_official", &is_official)
      .def("ideal_time",
           [](const Plan& plan, int number) { return ideal_time(plan, plan.pattern(number)); })
      .def("block_time", &block_time)
      .def("smallest_data", &smallest_data)
      .def("estimated_data", &estimated_data)
      .def(
          "text",
          [](const Plan& plan, std::optional<double> write_MBps, std::optional<double> read_MBps,
             std::optional<Bytes> free) { return plan_text(plan, {write_MBps, read_MBps, free}); },
          "write_MBps"_a = nb::none(), "read_MBps"_a = nb::none(), "free"_a = nb::none())
      .def(
          "json",
          [](const Plan& plan, std::optional<double> write_MBps, std::optional<double> read_MBps,
             std::optional<Bytes> free) {
            return plan_json(plan, {write_MBps, read_MBps, free}).dump();
          },
          "write_MBps"_a = nb::none(), "read_MBps"_a = nb::none(), "free"_a = nb::none());
  nb::class_<Forecast>(m, "Forecast")
      .def(nb::init<const Plan&>(), nb::keep_alive<1, 2>())
      .def("note", &Forecast::note)
      .def_prop_ro("to_come", &Forecast::to_come);
  m.def("default_partitions", &default_partitions);
  m.def(
      "make_plan",
      [](int processes, Seconds time, Release release, std::vector<int> partitions,
         std::vector<Type> types, std::optional<RewriteSet> rewrite, Pointer pointer,
         Bytes memory_per_process, std::optional<Bytes> max_data, std::optional<Bytes> max_segment,
         std::optional<Bytes> max_chunk, Bytes segment_unit, Bytes reserve, std::uint64_t seed) {
        return make_plan({.processes = processes,
                          .memory_per_process = memory_per_process,
                          .time = time,
                          .release = release,
                          .partitions = std::move(partitions),
                          .types = std::move(types),
                          .rewrite = rewrite,
                          .pointer = pointer,
                          .max_data = max_data,
                          .max_segment = max_segment,
                          .max_chunk = max_chunk,
                          .segment_unit = segment_unit,
                          .striping_unit = std::nullopt,
                          .reserve = reserve,
                          .seed = seed});
      },
      "processes"_a, "time"_a = 1800.0, "release"_a = Release::k1,
      "partitions"_a = std::vector<int>{}, "types"_a = std::vector<Type>{},
      "rewrite"_a = nb::none(), "pointer"_a = Pointer::kShared,
      "memory_per_process"_a = Bytes{256 * kMiB}, "max_data"_a = nb::none(),
      "max_segment"_a = nb::none(), "max_chunk"_a = nb::none(), "segment_unit"_a = kMiB,
      "reserve"_a = Bytes{0}, "seed"_a = std::uint64_t{1});
}

void bind_control(nb::module_& m) {
  nb::enum_<StopReason>(m, "StopReason")
      .value("ONCE", StopReason::kOnce)
      .value("TIME", StopReason::kTime)
      .value("COUNT", StopReason::kCount)
      .value("SPACE", StopReason::kSpace)
      .value("MAX_DATA", StopReason::kMaxData)
      .value("ERROR", StopReason::kError)
      .value("STOPPED", StopReason::kStopped);
  m.attr("UNLIMITED") = kUnlimited;
  nb::class_<BatchControl>(m, "BatchControl")
      .def(
          "__init__",
          [](BatchControl* self, Seconds time, Seconds decision_cost, bool once,
             std::optional<std::int64_t> count, Bytes bytes_per_round, Bytes reserve,
             Bytes allowance, Seconds sync_per_round) {
            new (self) BatchControl({.once = once,
                                     .count = count,
                                     .time = time,
                                     .sync_per_round = sync_per_round,
                                     .bytes_per_round = bytes_per_round,
                                     .reserve = reserve,
                                     .allowance = allowance,
                                     .allowance_reason = StopReason::kMaxData},
                                    decision_cost);
          },
          "time"_a, "decision_cost"_a, "once"_a = false, "count"_a = nb::none(),
          "bytes_per_round"_a = Bytes{0}, "reserve"_a = Bytes{0}, "allowance"_a = kUnlimited,
          "sync_per_round"_a = 0.0)
      .def_prop_ro("batch", &BatchControl::batch)
      .def_prop_ro("defers", &BatchControl::defers)
      .def_prop_ro("stopped", &BatchControl::stopped)
      .def_prop_ro("calls", &BatchControl::calls)
      .def_prop_ro("decisions", &BatchControl::decisions)
      .def(
          "completed",
          [](BatchControl& control, Seconds elapsed, Bytes free, bool error, bool stop) {
            control.completed({elapsed, free, error, stop});
          },
          "elapsed"_a, "free"_a = kUnlimited, "error"_a = false, "stop"_a = false)
      .def("deferred", [](BatchControl& control) { control.deferred(std::nullopt); })
      .def(
          "deferred",
          [](BatchControl& control, Seconds elapsed, Bytes free, bool error, bool stop) {
            control.deferred(BatchOutcome{elapsed, free, error, stop});
          },
          "elapsed"_a, "free"_a = kUnlimited, "error"_a = false, "stop"_a = false);
  m.def(
      "counted_types",
      [](const Plan& plan, const std::map<int, std::int64_t>& calls, Bytes unit,
         std::optional<Bytes> max_segment, Bytes per_process) {
        std::vector<MeasuredCalls> measured;
        for (const auto& [pattern, count] : calls) {
          measured.push_back({pattern, count});
        }
        const auto counted = plan_counted_types(
            plan.patterns, measured,
            {.unit = unit, .max_segment = max_segment, .per_process = per_process});
        std::map<int, std::tuple<Bytes, std::int64_t>> patterns;
        for (const auto& entry : counted.patterns) {
          patterns[entry.pattern] = {entry.chunk, entry.calls};
        }
        return std::make_tuple(counted.segment, std::string(to_string(counted.cut)), counted.scale,
                               patterns);
      },
      "plan"_a, "calls"_a, "unit"_a = kMiB, "max_segment"_a = nb::none(),
      "per_process"_a = kUnlimited,
      "(L_SEG, cut, scale, {pattern: (chunk, calls)}) from {pattern: calls} of types 0-2.");
}

/// A machine that is a script.
class ScriptedMachine : public Machine {
 public:
  NB_TRAMPOLINE(Machine, 9);

  Outcome meet(const Block& block) override { NB_OVERRIDE_PURE(meet, block); }
  Outcome calibrate(const Block& block) override { NB_OVERRIDE_PURE(calibrate, block); }
  Outcome open(const TypeWork& type) override { NB_OVERRIDE_PURE(open, type); }
  Outcome start(const PatternWork& pattern) override { NB_OVERRIDE_PURE(start, pattern); }
  Outcome calls(const PatternWork& pattern, const Batch& batch) override {
    NB_OVERRIDE_PURE(calls, pattern, batch);
  }
  std::optional<Outcome> deferred_calls(const PatternWork& pattern, const Batch& batch) override {
    NB_OVERRIDE_PURE(deferred_calls, pattern, batch);
  }
  FinishOutcome finish(const PatternWork& pattern, const PatternEnd& end) override {
    NB_OVERRIDE_PURE(finish, pattern, end);
  }
  Outcome close(const TypeWork& type) override { NB_OVERRIDE_PURE(close, type); }
  Outcome end() override { NB_OVERRIDE_PURE(end); }
};

void bind_machine(nb::module_& m) {
  nb::class_<Block>(m, "Block")
      .def_ro("partition", &Block::partition)
      .def_ro("processes", &Block::processes)
      .def_ro("access", &Block::access);
  nb::class_<TypeWork, Block>(m, "TypeWork").def_ro("type", &TypeWork::type);
  nb::class_<PatternWork, TypeWork>(m, "PatternWork")
      .def_ro("pattern", &PatternWork::pattern)
      .def_ro("placement", &PatternWork::placement)
      .def_ro("reposition", &PatternWork::reposition)
      .def_ro("rewritten", &PatternWork::rewritten);
  nb::class_<Batch>(m, "Batch").def_ro("first", &Batch::first).def_ro("calls", &Batch::calls);
  nb::class_<PatternEnd>(m, "PatternEnd")
      .def_ro("calls", &PatternEnd::calls)
      .def_ro("sync", &PatternEnd::sync);
  nb::class_<Outcome>(m, "Outcome")
      .def(
          "__init__",
          [](Outcome* self, Seconds elapsed, Seconds now, Bytes free, bool error, bool stop,
             std::string text) {
            new (self) Outcome{elapsed, now, free, error, stop, std::move(text)};
          },
          "elapsed"_a = 0.0, "now"_a = 0.0, "free"_a = kUnlimited, "error"_a = false,
          "stop"_a = false, "text"_a = "");
  nb::class_<FinishOutcome, Outcome>(m, "FinishOutcome")
      .def(
          "__init__",
          [](FinishOutcome* self, const Outcome& outcome, std::int64_t checked,
             std::int64_t wrong) { new (self) FinishOutcome{outcome, checked, wrong}; },
          "outcome"_a, "checked"_a = 0, "wrong"_a = 0);
  nb::class_<Machine, ScriptedMachine>(m, "Machine").def(nb::init<>());
  nb::enum_<Ending>(m, "Ending")
      .value("DONE", Ending::kDone)
      .value("STOPPED", Ending::kStopped)
      .value("ABORT", Ending::kAbort);
  m.def(
      "measure",
      [](const Plan& plan, int rank, Machine& machine, Measurement& measured) {
        return measure(plan, rank, machine, measured);
      },
      "plan"_a, "rank"_a, "machine"_a, "measured"_a);
}

void bind_budget(nb::module_& m) {
  nb::class_<Room>(m, "Room")
      .def(
          "__init__",
          [](Room* self, Bytes on_disk, Bytes in_bound) { new (self) Room{on_disk, in_bound}; },
          "on_disk"_a = kUnlimited, "in_bound"_a = kUnlimited)
      .def_ro("on_disk", &Room::on_disk)
      .def_ro("in_bound", &Room::in_bound);
  m.def(
      "time_budget",
      [](const Plan& plan, int pattern, Seconds block_end, Seconds now) {
        return time_budget(plan, plan.pattern(pattern), block_end, now);
      },
      "plan"_a, "pattern"_a, "block_end"_a, "now"_a);
  m.def("room_of", &room_of, "plan"_a, "processes"_a, "free"_a, "written"_a);
  const auto tuple = [](const SpaceBudget& budget) {
    return std::make_tuple(budget.bytes, budget.by_max_data);
  };
  m.def(
      "space_budget",
      [tuple](const Plan& plan, std::size_t partition, int pattern, Bytes round, const Room& room) {
        return tuple(space_budget(plan, partition, plan.pattern(pattern), round, room));
      },
      "plan"_a, "partition"_a, "pattern"_a, "round"_a, "room"_a, "(bytes, by the bound)");
  m.def(
      "space_budget_of_counted",
      [tuple](const Plan& plan, std::size_t partition, const Room& room) {
        return tuple(space_budget_of_counted(plan, partition, room));
      },
      "plan"_a, "partition"_a, "room"_a, "(bytes, by the bound)");
}

void bind_samples(nb::module_& m) {
  nb::enum_<Status>(m, "Status")
      .value("MEASURED", Status::kMeasured)
      .value("FAILED", Status::kFailed)
      .value("SKIPPED", Status::kSkipped);
  nb::class_<Sample>(m, "Sample")
      .def(
          "__init__",
          [](Sample* self, int partition, int pattern, Access access, std::int64_t repetitions,
             Bytes bytes, Seconds time, Seconds loop_time, std::int64_t decisions, Status status,
             std::optional<StopReason> stop, std::optional<std::string> error) {
            new (self) Sample{partition, pattern,   access, repetitions, bytes,           time,
                              loop_time, decisions, status, stop,        std::move(error)};
          },
          "partition"_a, "pattern"_a, "access"_a, "repetitions"_a = 1, "bytes"_a = 0,
          "time"_a = 0.0, "loop_time"_a = 0.0, "decisions"_a = 1, "status"_a = Status::kMeasured,
          "stop"_a = StopReason::kTime, "error"_a = nb::none())
      .def_ro("partition", &Sample::partition)
      .def_ro("pattern", &Sample::pattern)
      .def_ro("access", &Sample::access)
      .def_ro("repetitions", &Sample::repetitions)
      .def_ro("bytes", &Sample::bytes)
      .def_ro("time", &Sample::time)
      .def_ro("loop_time", &Sample::loop_time)
      .def_ro("decisions", &Sample::decisions)
      .def_ro("status", &Sample::status)
      .def_ro("stop", &Sample::stop)
      .def_ro("error", &Sample::error)
      .def_prop_ro("bandwidth_MBps", &Sample::bandwidth_MBps);
  nb::class_<TypeSample>(m, "TypeSample")
      .def(
          "__init__",
          [](TypeSample* self, int partition, Type type, Access access, Bytes bytes, Seconds open,
             Seconds close, Seconds patterns, Status status) {
            new (self) TypeSample{partition, type,     access, bytes,       open,
                                  close,     patterns, status, std::nullopt};
          },
          "partition"_a, "type"_a, "access"_a, "bytes"_a, "open"_a = 0.0, "close"_a = 0.0,
          "patterns"_a = 0.0, "status"_a = Status::kMeasured)
      .def_ro("partition", &TypeSample::partition)
      .def_ro("type", &TypeSample::type)
      .def_ro("access", &TypeSample::access)
      .def_ro("bytes", &TypeSample::bytes)
      .def_ro("open", &TypeSample::open)
      .def_ro("close", &TypeSample::close)
      .def_ro("patterns", &TypeSample::patterns)
      .def_ro("status", &TypeSample::status)
      .def_ro("error", &TypeSample::error)
      .def_prop_ro("open_to_close", &TypeSample::open_to_close)
      .def_prop_ro("bandwidth_MBps", &TypeSample::bandwidth_MBps);
}

void bind_figures(nb::module_& m) {
  const auto by_type = [](const std::vector<std::optional<double>>& list) {
    FigureByType figures;
    if (list.size() != figures.size()) {
      throw std::invalid_argument("five figures are needed");
    }
    std::ranges::copy(list, figures.begin());
    return figures;
  };
  using List = std::vector<std::optional<double>>;
  m.def("access_average", [by_type](const List& types) { return access_average(by_type(types)); });
  m.def("value_1", &value_1, "write"_a.none(), "rewrite"_a.none(), "read"_a.none());
  m.def(
      "value_2_1",
      [by_type](const List& write, std::optional<double> rewrite_scatter, const List& read) {
        return value_2_1(by_type(write), rewrite_scatter, by_type(read));
      },
      "write"_a, "rewrite_scatter"_a.none(), "read"_a);
  m.def("value_0_5", [](const std::vector<std::tuple<Bytes, Seconds, int>>& list) {
    std::vector<WeightedTransfer> transfers;
    for (const auto& [bytes, time, time_units] : list) {
      transfers.push_back({bytes, time, time_units});
    }
    return value_0_5(transfers);
  });
}

/// A machine good enough for results made up in tests.
Environment test_environment(int processes, Bytes total_memory, const std::string& build_type,
                             bool simulated) {
  Environment environment;
  environment.started_at = "2001-04-23T08:00:00Z";
  environment.finished_at = "2001-04-23T08:30:00Z";
  environment.uname = {"Linux", "node1", "6.1.0", "#1 SMP", "x86_64"};
  environment.hosts = {{"node1", processes}};
  environment.placement.assign(static_cast<std::size_t>(processes), 0);
  environment.processes = processes;
  environment.memory = {total_memory / processes, total_memory, "given"};
  environment.mpi = {"made up", "4.1", "MPI_THREAD_SINGLE"};
  environment.omp_num_threads = "4,2";
  environment.binding.cores_per_process_min = 2;
  environment.binding.cores_per_process_max = 4;
  environment.build_type = build_type;
  environment.simulated = simulated;
  return environment;
}

void bind_result(nb::module_& m) {
  nb::class_<CacheState>(m, "CacheState")
      .def(
          "__init__",
          [](CacheState* self, int partition, Access access, Bytes file_bytes,
             std::optional<Bytes> resident, std::optional<Bytes> from_disk, bool dropped) {
            new (self) CacheState{partition, access, file_bytes, resident, from_disk, dropped};
          },
          "partition"_a, "access"_a, "file_bytes"_a, "resident_before"_a = nb::none(),
          "read_from_disk"_a = nb::none(), "dropped"_a = false);
  nb::class_<DataCheck>(m, "DataCheck")
      .def(
          "__init__",
          [](DataCheck* self, std::string mode, std::int64_t checked, std::int64_t wrong,
             std::optional<std::string> first_error) {
            new (self) DataCheck{std::move(mode), checked, wrong, std::move(first_error)};
          },
          "mode"_a = "sample", "chunks_checked"_a = 0, "wrong_chunks"_a = 0,
          "first_error"_a = nb::none());
  nb::class_<Measurement>(m, "Measurement")
      .def(nb::init<>())
      .def_rw("samples", &Measurement::samples)
      .def_rw("types", &Measurement::types)
      .def_rw("complete", &Measurement::complete)
      .def_rw("stopped_by", &Measurement::stopped_by)
      .def_rw("shared_pointers", &Measurement::shared_pointers)
      .def_rw("data_check", &Measurement::data_check)
      .def_rw("cache", &Measurement::cache)
      .def_prop_ro("segments",
                   [](const Measurement& measurement) {
                     std::vector<std::tuple<Bytes, std::string, double>> list;
                     for (const auto& notes : measurement.partitions) {
                       list.emplace_back(notes.counted.segment,
                                         std::string(to_string(notes.counted.cut)),
                                         notes.counted.scale);
                     }
                     return list;
                   })
      .def_prop_ro(
          "wrong_chunks",
          [](const Measurement& measurement) { return measurement.data_check.wrong_chunks; })
      .def("set_partitions",
           [](Measurement& measurement, std::size_t n) { measurement.partitions.resize(n); })
      .def(
          "set_file_system",
          [](Measurement& measurement, std::optional<Bytes> cache, bool in_memory,
             std::optional<std::string> note) {
            measurement.file_system.paths = {"/scratch"};
            measurement.file_system.kind = in_memory ? "tmpfs" : "ext4";
            measurement.file_system.cache = cache;
            measurement.file_system.in_memory = in_memory;
            measurement.file_system.note = std::move(note);
          },
          "cache"_a = nb::none(), "in_memory"_a = false, "note"_a = nb::none())
      .def("add_hint", [](Measurement& measurement, int partition, Access access, Type type,
                          std::optional<int> pattern, HintMap requested, HintMap accepted) {
        measurement.hints.push_back(
            {partition, access, type, pattern, std::move(requested), std::move(accepted)});
      });
  nb::class_<Result>(m, "Result")
      .def_prop_ro("valid", &Result::valid)
      .def_prop_ro("medium", [](const Result& result) { return result.medium; })
      .def_prop_ro("cautions", [](const Result& result) { return result.cautions; })
      .def_prop_ro("criteria",
                   [](const Result& result) {
                     std::map<std::string, std::tuple<bool, std::string>> criteria;
                     for (const auto& c : result.criteria) {
                       criteria[c.name] = {c.met, c.found()};
                     }
                     return criteria;
                   })
      .def("json",
           [](const Result& result, const Plan& plan) { return to_json(plan, result).dump(); })
      .def("protocol",
           [](const Result& result, const Plan& plan) { return protocol(plan, result); })
      .def("value_line",
           [](const Result& result, const Plan& plan) { return value_line(plan, result); });
  m.def(
      "make_result",
      [](const Plan& plan, const Measurement& measurement, Bytes total_memory,
         const std::string& build_type, bool simulated) {
        return make_result(plan, {"b_eff_io", "0.1.0", "unknown"},
                           test_environment(plan.processes, total_memory, build_type, simulated),
                           std::make_shared<const Json>(Json::object()), measurement);
      },
      "plan"_a, "measurement"_a, "total_memory"_a = kGiB, "build_type"_a = "Release",
      "simulated"_a = false);
  m.def("journal_line",
        [](const Plan& plan, const Sample& sample) { return to_json(plan, sample).dump(); });
  m.def("journal_line", [](const TypeSample& type) { return to_json(type).dump(); });
}

void bind_hints(nb::module_& m) {
  nb::class_<Hints>(m, "Hints")
      .def_static(
          "parse",
          [](const std::string& text, std::size_t key, std::size_t value) {
            return Hints::parse(text, {.key = key, .value = value});
          },
          "text"_a, "longest_key"_a = 255, "longest_value"_a = 1024)
      .def("on_open", &Hints::on_open, "processes"_a, "access"_a, "type"_a)
      .def("before_pattern", &Hints::before_pattern, "processes"_a, "access"_a, "pattern"_a);
}

}  // namespace
}  // namespace beff::b_eff_io

void bind_b_eff_io(nb::module_& module) {
  using namespace beff::b_eff_io;
  auto m = module.def_submodule("b_eff_io", "The core of b_eff_io.");
  bind_tables(m);
  bind_layout(m);
  bind_plan(m);
  bind_control(m);
  bind_budget(m);
  bind_machine(m);
  bind_samples(m);
  bind_figures(m);
  bind_result(m);
  bind_hints(m);
}
