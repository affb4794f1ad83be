// What b_eff_io makes of its samples, as seen by its tests. JSON passes as text.
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "core/b_eff_io/figures.hpp"
#include "core/b_eff_io/result.hpp"
#include "core/record/json.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace beff::b_eff_io {
namespace {

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
  environment.memory = {
      .per_process = total_memory / processes, .total = total_memory, .source = "given"};
  environment.mpi = {"made up", "4.1", "MPI_THREAD_SINGLE"};
  environment.omp_num_threads = "4,2";
  environment.binding.cores_per_process_min = 2;
  environment.binding.cores_per_process_max = 4;
  environment.build_type = build_type;
  environment.simulated = simulated;
  return environment;
}

void bind_measurement(nb::module_& m) {
  nb::class_<CacheState>(m, "CacheState")
      .def(
          "__init__",
          [](CacheState* self, int partition, Access access, Bytes file_bytes,
             std::optional<Bytes> resident, std::optional<Bytes> from_disk, bool dropped,
             std::optional<Bytes> by_devices) {
            new (self)
                CacheState{partition, access, file_bytes, resident, from_disk, by_devices, dropped};
          },
          "partition"_a, "access"_a, "file_bytes"_a, "resident_before"_a = nb::none(),
          "read_from_disk"_a = nb::none(), "dropped"_a = false, "by_devices"_a = nb::none());
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
             std::optional<std::string> note, const std::string& reads_seen_by) {
            measurement.file_system.paths = {"/scratch"};
            measurement.file_system.kind = in_memory ? "tmpfs" : "ext4";
            measurement.file_system.cache = cache;
            measurement.file_system.in_memory = in_memory;
            measurement.file_system.note = std::move(note);
            for (const auto seen_by :
                 {ReadsSeenBy::kDevices, ReadsSeenBy::kPageCaches, ReadsSeenBy::kNothing}) {
              if (to_string(seen_by) == reads_seen_by) {
                measurement.file_system.reads_seen_by = seen_by;
              }
            }
          },
          "cache"_a = nb::none(), "in_memory"_a = false, "note"_a = nb::none(),
          "reads_seen_by"_a = "page caches")
      .def("add_hint", [](Measurement& measurement, int partition, Access access, Type type,
                          std::optional<int> pattern, HintMap requested, HintMap accepted) {
        measurement.hints.push_back(
            {partition, access, type, pattern, std::move(requested), std::move(accepted)});
      });
}

void bind_result(nb::module_& m) {
  nb::class_<Result>(m, "Result")
      .def_prop_ro("valid", &Result::valid)
      .def("json",
           [](const Result& result, const Plan& plan) { return to_json(plan, result).dump(); })
      .def("protocol",
           [](const Result& result, const Plan& plan) { return protocol_text(plan, result); })
      .def("last_lines",
           [](const Result& result, const Plan& plan) { return last_line(plan, result) + "\n"; });
  m.def(
      "make_result",
      [](const Plan& plan, const Measurement& measurement, Bytes total_memory,
         const std::string& build_type, bool simulated) {
        return make_result(
            plan,
            {.program = {"b_eff_io", "0.1.0", "unknown"},
             .environment = test_environment(plan.processes, total_memory, build_type, simulated),
             .options = std::make_shared<const Json>(Json::object())},
            measurement);
      },
      "plan"_a, "measurement"_a, "total_memory"_a = kGiB, "build_type"_a = "Release",
      "simulated"_a = false);
  m.def("journal_line",
        [](const Plan& plan, const Sample& sample) { return to_json(plan, sample).dump(); });
  m.def("journal_line", [](const TypeSample& type) { return to_json(type).dump(); });
}

}  // namespace
}  // namespace beff::b_eff_io

void bind_b_eff_io_result(nb::module_& m) {
  using namespace beff::b_eff_io;
  bind_samples(m);
  bind_figures(m);
  bind_measurement(m);
  bind_result(m);
}
