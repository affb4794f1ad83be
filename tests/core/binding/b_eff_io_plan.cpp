// What b_eff_io measures where, as seen by its tests: submodule `b_eff_io`.
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "bindings.hpp"
#include "core/b_eff_io/hints.hpp"
#include "core/b_eff_io/layout.hpp"
#include "core/b_eff_io/measure.hpp"
#include "core/b_eff_io/plan.hpp"
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
  nb::enum_<Procedure>(m, "Procedure")
      .value("COLD", Procedure::kCold)
      .value("ORIGINAL", Procedure::kOriginal);
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
      .def_prop_ro("bytes_per_round", &Placement::bytes_per_round)
      .def("advance", &Placement::advance);
  using ExtentTuple = std::tuple<int, Bytes, Bytes, Bytes>;
  m.def(
      "extents",
      [](const Placement& placement, int rank, std::int64_t first_call, std::int64_t calls) {
        std::vector<ExtentTuple> list;
        const ChunkMap map(placement, rank);
        for (auto index = first_call * placement.chunks_per_call;
             index < (first_call + calls) * placement.chunks_per_call; ++index) {
          const auto extent = map[index];
          list.emplace_back(extent.file, extent.offset, extent.length, extent.stream);
        }
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
      .def("has", nb::overload_cast<Access, Type>(&Plan::has, nb::const_))
      .def("pattern", &Plan::pattern)
      .def_prop_ro("unit_time", &unit_time)
      .def_prop_ro("planned_time", &planned_time)
      .def_prop_ro("minimal_space", &minimal_space)
      .def_prop_ro("is_official", &is_official)
      .def("ideal_time",
           [](const Plan& plan, int number) { return ideal_time(plan, plan.pattern(number)); })
      .def("block_time", &block_time)
      .def("smallest_data", &smallest_data)
      .def("text", &plan_text, "free"_a = nb::none())
      .def(
          "json",
          [](const Plan& plan, std::optional<Bytes> free) { return plan_json(plan, free).dump(); },
          "free"_a = nb::none());
  nb::class_<Forecast>(m, "Forecast")
      .def(nb::init<const Plan&>(), nb::keep_alive<1, 2>())
      .def("note", &Forecast::note)
      .def_prop_ro("to_come", &Forecast::to_come);
}

void bind_making(nb::module_& m) {
  m.def("default_partitions", &default_partitions);
  m.def(
      "make_plan",
      [](int processes, Seconds time, Release release, std::vector<int> partitions,
         std::vector<Type> types, std::optional<RewriteSet> rewrite, Pointer pointer,
         Bytes memory_per_process, std::optional<Bytes> max_data, std::optional<Bytes> max_segment,
         std::optional<Bytes> max_chunk, Bytes segment_unit, Bytes reserve, std::uint64_t seed,
         Procedure procedure) {
        return make_plan({.processes = processes,
                          .memory_per_process = memory_per_process,
                          .time = time,
                          .release = release,
                          .procedure = procedure,
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
      "reserve"_a = Bytes{0}, "seed"_a = std::uint64_t{1}, "procedure"_a = Procedure::kCold);
}

void bind_hints(nb::module_& m) {
  nb::class_<Hints>(m, "Hints")
      .def_static(
          "parse",
          [](const std::string& text, std::size_t key, std::size_t value) {
            return Hints::parse(text, {.key = key, .value = value});
          },
          "text"_a, "longest_key"_a = 255, "longest_value"_a = 1024)
      .def("check_partitions", &Hints::check_partitions, "partitions"_a)
      .def("on_open", &Hints::on_open, "processes"_a, "access"_a, "type"_a)
      .def("before_pattern", &Hints::before_pattern, "processes"_a, "access"_a, "pattern"_a);
}

}  // namespace
}  // namespace beff::b_eff_io

void bind_b_eff_io_plan(nb::module_& m) {
  using namespace beff::b_eff_io;
  bind_tables(m);
  bind_layout(m);
  bind_plan(m);
  bind_making(m);
  bind_hints(m);
}
