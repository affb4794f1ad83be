// How b_eff_io goes through a plan, as seen by its tests: submodule `b_eff_io`.
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/trampoline.h>

#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "core/b_eff_io/batch_control.hpp"
#include "core/b_eff_io/measure.hpp"
#include "core/b_eff_io/partition.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace beff::b_eff_io {
namespace {

using Counted =
    std::tuple<Bytes, std::string, double, std::map<int, std::tuple<Bytes, std::int64_t>>>;

Counted counted_types(const Plan& plan, const std::map<int, std::int64_t>& calls, Bytes unit,
                      std::optional<Bytes> max_segment, Bytes per_process) {
  std::vector<PatternState> states;
  for (const auto& pattern : plan.patterns) {
    const auto found = calls.find(pattern.number);
    const bool usable = found != calls.end();
    states.push_back({.pattern = pattern, .calls = usable ? found->second : 0, .usable = usable});
  }
  const auto counted = plan_counted_types(
      states, {.unit = unit, .max_segment = max_segment, .per_process = per_process});
  std::map<int, std::tuple<Bytes, std::int64_t>> patterns;
  for (const auto& [pattern, placement, made, reserved, rewritten, usable] : states) {
    if (row(pattern.type).counted) {
      patterns[pattern.number] = {pattern.chunk, reserved};
    }
  }
  return std::make_tuple(counted.segment, std::string(to_string(counted.cut)), counted.scale,
                         patterns);
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
  nb::enum_<TimeRule>(m, "TimeRule")
      .value("WHILE_SHORTER", TimeRule::kWhileShorter)
      .value("WHILE_ONE_FITS", TimeRule::kWhileOneFits);
  m.attr("UNLIMITED") = kUnlimited;
  nb::class_<BatchControl>(m, "BatchControl")
      .def(
          "__init__",
          [](BatchControl* self, Seconds time, Seconds decision_cost, bool once,
             std::optional<std::int64_t> count, Bytes bytes_per_round, Bytes reserve,
             Bytes allowance, TimeRule rule) {
            new (self) BatchControl({.once = once,
                                     .count = count,
                                     .time = time,
                                     .rule = rule,
                                     .bytes_per_round = bytes_per_round,
                                     .reserve = reserve,
                                     .allowance = allowance,
                                     .allowance_reason = StopReason::kMaxData},
                                    decision_cost);
          },
          "time"_a, "decision_cost"_a, "once"_a = false, "count"_a = nb::none(),
          "bytes_per_round"_a = Bytes{0}, "reserve"_a = Bytes{0}, "allowance"_a = kUnlimited,
          "rule"_a = TimeRule::kWhileShorter)
      .def_prop_ro("batch", &BatchControl::batch)
      .def_prop_ro("stopped", &BatchControl::stopped)
      .def_prop_ro("calls", &BatchControl::calls)
      .def_prop_ro("decisions", &BatchControl::decisions)
      .def(
          "completed",
          [](BatchControl& control, Seconds elapsed, Bytes free, bool error, bool stop) {
            control.completed({.elapsed = elapsed, .free = free, .error = error, .stop = stop});
          },
          "elapsed"_a, "free"_a = kUnlimited, "error"_a = false, "stop"_a = false);
  m.def("counted_types", &counted_types, "plan"_a, "calls"_a, "unit"_a = kMiB,
        "max_segment"_a = nb::none(), "per_process"_a = kUnlimited,
        "(L_SEG, cut, scale, {pattern: (chunk, calls)}) from {pattern: calls} of types 0-2.");
}

/// A machine that is a script.
class ScriptedMachine : public Machine {
 public:
  NB_TRAMPOLINE(Machine, 8);

  Outcome meet(const Block& block) override { NB_OVERRIDE_PURE(meet, block); }
  Outcome calibrate(const Block& block) override { NB_OVERRIDE_PURE(calibrate, block); }
  Outcome open(const TypeWork& type) override { NB_OVERRIDE_PURE(open, type); }
  Outcome start(const PatternWork& pattern) override { NB_OVERRIDE_PURE(start, pattern); }
  Outcome calls(const PatternWork& pattern, const Batch& batch) override {
    NB_OVERRIDE_PURE(calls, pattern, batch);
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
          [](Outcome* self, Seconds elapsed, Bytes free, bool error, bool stop, std::string text) {
            new (self) Outcome{elapsed, free, error, stop, std::move(text)};
          },
          "elapsed"_a = 0.0, "free"_a = kUnlimited, "error"_a = false, "stop"_a = false,
          "text"_a = "");
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

}  // namespace
}  // namespace beff::b_eff_io

void bind_b_eff_io_measure(nb::module_& m) {
  using namespace beff::b_eff_io;
  bind_control(m);
  bind_machine(m);
  bind_budget(m);
}
