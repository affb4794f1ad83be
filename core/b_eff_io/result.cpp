#include "core/b_eff_io/result.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/record/columns.hpp"
#include "core/record/json.hpp"

namespace beff::b_eff_io {
namespace {

/// As measured; the journal has the same.
constexpr std::tuple kSampleColumns{
    Column{"partition", &Sample::partition}, Column{"pattern", &Sample::pattern},
    Column{"access", &Sample::access},       Column{"repetitions", &Sample::repetitions},
    Column{"bytes", &Sample::bytes},         Column{"time_s", &Sample::time},
    Column{"loop_s", &Sample::loop_time},    Column{"decisions", &Sample::decisions},
    Column{"status", &Sample::status},       Column{"stop", &Sample::stop},
    Column{"error", &Sample::error},
};
constexpr std::tuple kTypeColumns{
    Column{"partition", &TypeSample::partition},
    Column{"type", [](const TypeSample& type) { return index_of(type.type); }},
    Column{"access", &TypeSample::access},
    Column{"bytes", &TypeSample::bytes},
    Column{"open_s", &TypeSample::open},
    Column{"close_s", &TypeSample::close},
    Column{"open_to_close_s", &TypeSample::open_to_close},
    Column{"status", &TypeSample::status},
    Column{"error", &TypeSample::error},
};

Json pattern_fields(const Pattern& p) {
  const bool known = p.kind != Kind::kFillUp;
  return {{"number", p.number},
          {"type", index_of(p.type)},
          {"l_bytes", known ? Json(p.chunk) : Json(nullptr)},
          {"L_bytes", known ? Json(p.memory) : Json(nullptr)},
          {"U", p.time_units},
          {"wellformed", p.wellformed},
          {"position", p.position > 0 ? Json(p.position) : Json(nullptr)},
          {"reported", p.reported()}};
}

Json type_fields(Type type) {
  return {{"type", index_of(type)},
          {"name", row(type).name},
          {"method", row(type).method},
          {"official", row(type).official}};
}

Json values_json(const std::array<Figure, kReleases.size()>& values) {
  Json by_release = Json::object();
  for (const Release release : kReleases) {
    by_release[std::string(to_string(release))] = or_null(values.at(index_of(release)));
  }
  return by_release;
}

template <class Value>
Json by_access(Value&& value) {
  Json object = Json::object();
  for (const Access access : kAccesses) {
    object[std::string(to_string(access))] = value(access);
  }
  return object;
}

Json partition_json(const Plan& plan, const Result& result, std::size_t p) {
  const auto& figures = result.figures.partitions.at(p);
  const auto decisions = decision_cost(result.measurement, p);
  const auto samples =
      std::ranges::count(result.measurement.samples, static_cast<int>(p), &Sample::partition);
  Json json = {{"processes", plan.partitions.at(p)},
               {"scheduled_s", partition_time(plan)},
               {"decisions", decisions.count},
               {"decisions_share", or_null(decisions.share)}};
  json.update(to_json(result.measurement.partitions.at(p)));
  json.update(Json{
      {"samples", samples},
      {"types", by_access([&](Access a) { return json_list(figures[a].types, or_null<double>); })},
      {"weighted_MBps",
       by_access([&](Access a) { return json_list(figures[a].weighted, or_null<double>); })},
      {"access", by_access([&](Access a) { return or_null(figures[a].average); })},
      {"bytes", by_access([&](Access a) { return figures[a].bytes; })},
      {"wellformed_factor", by_access([&](Access a) {
         return or_null(wellformed_factor(plan, result.measurement, static_cast<int>(p), a));
       })},
      {"values", values_json(figures.values)},
      {"b_eff_io_MBps", or_null(figures[plan.release])}});
  return json;
}

Json summary_json(const Plan& plan, const Result& result) {
  const auto& figures = result.figures;
  const Bytes memory = result.environment.memory.total;
  const Bytes written = figures.bytes.at(index_of(Access::kWrite));
  const auto average = [&](Access access) -> Json {
    return figures.best ? or_null(figures.partitions.at(*figures.best)[access].average)
                        : Json(nullptr);
  };
  return {{"b_eff_io_MBps", or_null(result.value(plan))},
          {"values", values_json(figures.values)},
          {"processes", figures.best ? Json(plan.partitions.at(*figures.best)) : Json(nullptr)},
          {"write_MBps", average(Access::kWrite)},
          {"rewrite_MBps", average(Access::kRewrite)},
          {"read_MBps", average(Access::kRead)},
          {"bytes_per_access", by_access([&](Access a) { return figures.bytes.at(index_of(a)); })},
          {"percent_of_memory",
           memory > 0 ? Json(100.0 * static_cast<double>(written) / static_cast<double>(memory))
                      : Json(nullptr)},
          {"total_memory_write_min", or_null(result.memory_write_minutes(plan))},
          {"percent_of_peak", or_null(result.percent_of_peak(plan))}};
}

Json striping_json(const std::optional<Striping>& striping) {
  if (!striping) {
    return nullptr;
  }
  return {{"stripe_size_bytes", or_null(striping->stripe_size)},
          {"stripe_count", or_null(striping->stripe_count)},
          {"components", or_null(striping->components)},
          {"pool", striping->pool}};
}

Json file_system_json(const FileSystem& f) {
  return {{"paths", f.paths},
          {"kind", f.kind},
          {"mount", f.mount},
          {"source", f.source},
          {"options", f.options},
          {"striping", striping_json(f.striping)},
          {"total_bytes", f.total},
          {"free_at_start_bytes", f.free_at_start},
          {"block_size_bytes", f.block_size},
          {"striping_unit_bytes", or_null(f.striping_unit)},
          {"cache_bytes", or_null(f.cache)},
          {"in_memory", f.in_memory},
          {"below", f.below},
          {"reads_seen_by", to_string(f.reads_seen_by)},
          {"note", or_null(f.note)},
          {"peak_MBps", or_null(f.peak_MBps)}};
}

Json cache_json(const CacheState& state) {
  return {{"partition", state.partition},
          {"access", to_string(state.access)},
          {"file_bytes", state.file_bytes},
          {"resident_before_bytes", or_null(state.resident_before)},
          {"read_from_disk_bytes", or_null(state.read_from_disk)},
          {"read_by_devices_bytes", or_null(state.read_by_devices)},
          {"dropped", state.dropped}};
}

Json hint_json(const HintNote& hint) {
  return {{"partition", hint.partition}, {"access", to_string(hint.access)},
          {"type", index_of(hint.type)}, {"pattern", or_null(hint.pattern)},
          {"requested", hint.requested}, {"accepted", hint.accepted}};
}

Json partitions_json(const Plan& plan, const Result& result) {
  Json list = Json::array();
  for (std::size_t p = 0; p < plan.partitions.size(); ++p) {
    list.push_back(partition_json(plan, result, p));
  }
  return list;
}

Json schedule_json(const Plan& plan) {
  return {{"time_s", plan.time},
          {"planned_s", planned_time(plan)},
          {"unit_s", unit_time(plan)},
          {"rewrite", to_string(plan.rewritten())},
          {"m_part_bytes", plan.m_part},
          {"segment_unit_bytes", plan.unit_of_segments()},
          {"reserve_bytes", plan.reserve},
          {"max_data_bytes", or_null(plan.max_data)},
          {"max_segment_bytes", or_null(plan.max_segment)},
          {"seed", plan.seed}};
}

}  // namespace

Json to_json(const PartitionNotes& notes) {
  return {{"decision_cost_s", notes.decision_cost},
          {"segment_bytes", notes.counted.segment},
          {"segment_cut", to_string(notes.counted.cut)},
          {"segment_scale", notes.counted.scale}};
}

Json to_json(const Plan& plan, const Sample& sample) {
  Json line = row_json(sample, kSampleColumns);
  line["processes"] = plan.partitions.at(static_cast<std::size_t>(sample.partition));
  return line;
}

Json to_json(const TypeSample& type) { return row_json(type, kTypeColumns); }

Json plan_fields(const Plan& plan) {
  return {{"definition", to_string(plan.release)},
          {"schedule", schedule_json(plan)},
          {"type_names", json_list(plan.types, type_fields)},
          {"patterns", json_list(plan.patterns, pattern_fields)},
          {"partitions", json_list(plan.partitions, [](int n) { return Json{{"processes", n}}; })}};
}

Json to_json(const Plan& plan, const Result& result) {
  const auto& m = result.measurement;
  const auto ideal = [&](const Sample& s) { return ideal_time(plan, plan.pattern(s.pattern)); };
  const auto sample_columns = std::tuple_cat(
      kSampleColumns,
      std::tuple{Column{"ideal_s", ideal}, Column{"bandwidth_MBps", &Sample::bandwidth_MBps}});
  const auto type_columns = std::tuple_cat(
      kTypeColumns, std::tuple{Column{"bandwidth_MBps", &TypeSample::bandwidth_MBps}});
  auto json = head_json(result, result.measurement, to_string(plan.release));
  json["environment"]["filesystem"] = file_system_json(result.measurement.file_system);
  json.update(Json{{"procedure", to_string(plan.procedure)},
                   {"medium", to_json(result.medium)},
                   {"summary", summary_json(plan, result)},
                   {"schedule", schedule_json(plan)},
                   {"type_names", json_list(plan.types, type_fields)},
                   {"patterns", json_list(plan.patterns, pattern_fields)},
                   {"partitions", partitions_json(plan, result)},
                   {"pointer", m.shared_pointers ? "shared" : "individual"},
                   {"reader_shifted", m.reader_shifted},
                   {"hints", json_list(m.hints, hint_json)},
                   {"cache", json_list(m.cache, cache_json)},
                   {"data_check",
                    {{"mode", m.data_check.mode},
                     {"chunks_checked", m.data_check.chunks_checked},
                     {"wrong_chunks", m.data_check.wrong_chunks},
                     {"first_error", or_null(m.data_check.first_error)}}},
                   {"elapsed_s", m.elapsed},
                   {"digest",
                    {{"algorithm", "crc32"},
                     {"samples", digest_of(m.samples, kSampleColumns)},
                     {"types", digest_of(m.types, kTypeColumns)}}},
                   {"samples", table_json(m.samples, sample_columns)},
                   {"types", table_json(m.types, type_columns)}});
  return json;
}

std::optional<double> Result::memory_write_minutes(const Plan& plan) const {
  const auto memory = static_cast<double>(environment.memory.total);
  const auto& speed = value(plan);
  return speed && memory > 0 ? std::optional(memory / (*speed * kBytesPerMB) / kSecondsPerMinute)
                             : std::nullopt;
}

std::optional<double> Result::percent_of_peak(const Plan& plan) const {
  const auto& speed = value(plan);
  const auto& peak = measurement.file_system.peak_MBps;
  return speed && peak ? std::optional(100 * *speed / *peak) : std::nullopt;
}

Result make_result(const Plan& plan, ResultHead head, Measurement measurement) {
  Result result{std::move(head), std::move(measurement)};
  result.figures = condense(plan, result.measurement);
  result.criteria = validity_criteria(plan, result.environment, result.measurement, result.figures);
  result.cautions = cautions(plan, result.environment, result.measurement, result.figures);
  result.medium = medium_of(result.measurement);
  return result;
}

Json plan_json(const Plan& plan, std::optional<Bytes> free) {
  Json json = plan_fields(plan);
  for (auto& entry : json["patterns"]) {
    const auto& pattern = plan.pattern(entry["number"].get<int>());
    Json times = Json::object();
    for (const Access access : kAccesses) {
      times[std::string(to_string(access))] =
          plan.has(access, pattern.type) ? Json(ideal_time(plan, pattern)) : Json(nullptr);
    }
    entry["ideal_s"] = std::move(times);
  }
  json["space"] = {{"minimal_bytes", minimal_space(plan)}, {"free_bytes", or_null(free)}};
  return json;
}

}  // namespace beff::b_eff_io
