#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iterator>

#include "core/b_eff_io/protocol.hpp"
#include "core/record/json.hpp"

namespace beff::b_eff_io {
namespace {

std::string seconds_cell(const Plan& plan, const Pattern& pattern, Access access) {
  if (!plan.has(access, pattern.type)) {
    return "-";
  }
  return pattern.time_units > 0 ? fmt::format("{:.3f}", ideal_time(plan, pattern)) : "once";
}

std::string size_cell(Bytes bytes) { return bytes > 0 ? fmt::format("{}", bytes) : "rest"; }

/// T where rewrite and read take `factor` times as long as the write.
Seconds time_if_slower(const Plan& plan, double rewrite, double read) {
  return access_time(plan, Access::kWrite) + rewrite * access_time(plan, Access::kRewrite) +
         read * access_time(plan, Access::kRead);
}

void write_time(std::back_insert_iterator<std::string> out, const Plan& plan) {
  fmt::format_to(out, "time, scheduled {}\n", format_duration(planned_time(plan)));
  fmt::format_to(out,
                 "time, longer    {} where rewrite and read take twice as long as the write, {} "
                 "where ten times\n",
                 format_duration(time_if_slower(plan, 2, 2)),
                 format_duration(time_if_slower(plan, 10, 10)));
  fmt::format_to(out, "                a time limit ends a run earlier, with a partial result\n");
}

}  // namespace

std::string plan_text(const Plan& plan, std::optional<Bytes> free) {
  std::string text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "b_eff_io by release {} on {} processes, partitions of {} processes\n",
                 to_string(plan.release), plan.processes, fmt::join(plan.partitions, ", "));
  fmt::format_to(out, "order: write all partitions, rewrite all ({}), read all\n",
                 plan.rewritten() == RewriteSet::kAll ? "all types" : "scatter type only");
  fmt::format_to(out, "procedure {}: {}\n", to_string(plan.procedure), explained(plan.procedure));
  fmt::format_to(out, "M_PART {}, type 1 with {} file pointers\n\n", format_size(plan.m_part),
                 to_string(plan.pointer));
  fmt::format_to(out, "{:>3} {:<15} {:>10} {:>10} {:>2} {:>10} {:>10} {:>10}\n", "no", "type",
                 "l [byte]", "L [byte]", "U", "write [s]", "rewr. [s]", "read [s]");
  for (const auto& p : plan.patterns) {
    fmt::format_to(out, "{:>3} {:<15} {:>10} {:>10} {:>2} {:>10} {:>10} {:>10}\n", p.number,
                   row(p.type).name, size_cell(p.chunk), size_cell(p.memory), p.time_units,
                   seconds_cell(plan, p, Access::kWrite), seconds_cell(plan, p, Access::kRewrite),
                   seconds_cell(plan, p, Access::kRead));
  }
  fmt::format_to(
      out,
      "\nTimes are of one partition. The loops of types 0-2 keep to them in the initial write; a "
      "sync that follows comes on top.\nTypes 3 and 4 repeat numbers of calls that follow from "
      "those; rewrite and read repeat the calls of the initial\nwrite, however long that "
      "takes.\n\n");
  write_time(out, plan);
  fmt::format_to(
      out, "space, at least {} (one call of each pattern{})\n", format_size(minimal_space(plan)),
      plan.reserve > 0 ? fmt::format(", and {} kept free", format_size(plan.reserve)) : "");
  if (free) {
    fmt::format_to(out, "space, free     {}; {}\n", format_size(*free),
                   *free < minimal_space(plan) ? "that is too little, and a run is refused"
                                               : "loops end before it is used up");
  }
  if (const Seconds needed = shortest_valid_time(plan.release, plan.partitions.size());
      plan.time < needed) {
    fmt::format_to(out, "\nToo short to be valid for comparison: that takes {:.0f} min\n",
                   needed / kSecondsPerMinute);
  }
  return text;
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
