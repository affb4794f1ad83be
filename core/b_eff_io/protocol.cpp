#include "core/b_eff_io/result.hpp"
#include "core/record/sentences.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "core/figure.hpp"

namespace beff::b_eff_io {
namespace {

using Lines = std::back_insert_iterator<std::string>;

std::string cell(const Figure& figure) { return beff::cell(figure, 9); }

std::string average_text(const Figure& figure) {
  return figure ? fmt::format("{:>8.3f} MB/s", *figure) : fmt::format("{:>8}", "not measured");
}

void write_head(Lines out, const Plan& plan, const Result& result) {
  const auto& e = result.environment;
  const auto& fs = result.measurement.file_system;
  fmt::format_to(out, "b_eff_io, program version {} ({}), value by release {}\n\n",
                 result.program.version, result.program.git_commit, to_string(plan.release));
  fmt::format_to(out,
                 "MEMORY_PER_PROCESSOR = {:>8} MBytes  [1MBytes = 1024*1024 bytes, 1MB = "
                 "1e6 bytes]\n",
                 memory_text(plan.memory_per_process));
  fmt::format_to(out, "Maximum chunk size   = {:>8.3f} MBytes\n\n", mbytes(plan.m_part));
  fmt::format_to(out, "processes           {} on {} nodes: {}\n", e.processes, e.nodes(),
                 compressed_host_list(e.hosts));
  fmt::format_to(out, "partitions          {} processes\n", fmt::join(plan.partitions, ", "));
  fmt::format_to(out, "scheduled time T    {} for all partitions, rewrite of {} types\n",
                 format_duration(plan.time),
                 plan.rewritten() == RewriteSet::kAll ? "all" : "the scatter");
  fmt::format_to(out, "procedure           {}: {}\n", to_string(plan.procedure),
                 explained(plan.procedure));
  fmt::format_to(out, "type 1              {} file pointers\n",
                 result.measurement.shared_pointers ? "shared" : "individual");
  fmt::format_to(out, "files in            {} ({}{}{})\n", fmt::join(fs.paths, ", "), fs.kind,
                 fs.mount.empty() ? "" : ", ", fs.mount);
  fmt::format_to(out, "file system         {} free of {} at start, {} kept free\n",
                 format_size(fs.free_at_start), format_size(fs.total), format_size(plan.reserve));
  if (fs.note) {
    fmt::format_to(out, "file system note    {}\n", *fs.note);
  }
  fmt::format_to(out, "threads             {}\n", threads_text(e));
  if (const auto& wires = result.measurement.wires; !wires.empty()) {
    fmt::format_to(out, "wires               {}{}\n", wires_text(wires), transports_text(e));
  }
  if (const auto load = load_text(result.measurement.loads, e.hosts); !load.empty()) {
    fmt::format_to(out, "load                {}\n", load);
  }
  fmt::format_to(out, "MPI                 {} (MPI {})\n", e.mpi.library, e.mpi.standard);
  fmt::format_to(out, "machine             {}, {}\n", machine_text(e.uname), e.cpu.model);
  fmt::format_to(out, "Date of measurement {}\n", e.started_at);
}

/// The reported pattern at a row of the table, or null.
const Pattern* at_position(const Plan& plan, Type type, int position) {
  const auto found = std::ranges::find_if(
      plan.patterns, [&](const Pattern& p) { return p.type == type && p.position == position; });
  return found == plan.patterns.end() ? nullptr : &*found;
}

Bytes chunk_at(const Plan& plan, int position) {
  for (const Type type : plan.types) {
    if (const auto* pattern = at_position(plan, type, position)) {
      return pattern->chunk;
    }
  }
  return 0;
}

bool was_run(const Plan& plan, Access access) {
  return std::ranges::any_of(plan.types, [&](Type t) { return plan.has(access, t); });
}

std::string percent_of_memory(Bytes bytes, Bytes memory) {
  return memory > 0 ? fmt::format(" = {:.1f} percent of the total memory ({:.0f} MBytes)",
                                  100.0 * static_cast<double>(bytes) / static_cast<double>(memory),
                                  mbytes(memory))
                    : std::string();
}

void write_rows(Lines out, const Plan& plan, const Result& result, std::size_t partition,
                Access access) {
  const int processes = plan.partitions.at(partition);
  const auto of_partition = static_cast<int>(partition);
  for (int position = 1; position <= kPositions; ++position) {
    const Bytes chunk = chunk_at(plan, position);
    if (chunk == 0) {
      continue;
    }
    fmt::format_to(out, "{:>4} PEs {} {:>10} {:<7}", processes, position, chunk, to_string(access));
    for (const Type type : plan.types) {
      const auto* pattern = at_position(plan, type, position);
      fmt::format_to(out, " {}",
                     cell(pattern != nullptr ? pattern_bandwidth(result.measurement, of_partition,
                                                                 pattern->number, access)
                                             : std::nullopt));
    }
    fmt::format_to(out, "\n");
  }
  fmt::format_to(out, "{:>4} PEs {:<20}", processes,
                 fmt::format("     total-{}", to_string(access)));
  for (const Type type : plan.types) {
    Figure total;
    for (const auto& sample : result.measurement.types) {
      if (sample.partition == of_partition && sample.type == type && sample.access == access) {
        total = sample.bandwidth_MBps();
      }
    }
    fmt::format_to(out, " {}", cell(total));
  }
  fmt::format_to(out, "\n\n");
}

void write_pattern_beside_table(Lines out, const Plan& plan, const Result& result,
                                std::size_t partition) {
  if (!plan.has(Type::kScatter)) {
    return;
  }
  fmt::format_to(out, "Not in the table is pattern 2 (scatter, l=1MBytes, L=2MBytes):\n  bw_pat2=");
  std::string separator;
  for (const Access access : kAccesses) {
    const auto figure = pattern_bandwidth(result.measurement, static_cast<int>(partition),
                                          kPatternBesideTable, access);
    fmt::format_to(out, "{}{} MB/s {}", separator, cell(figure), to_string(access));
    separator = ", ";
  }
  fmt::format_to(out, "\n\n");
}

void write_sample(Lines out, const Plan& plan, const Sample& s) {
  const auto& pattern = plan.pattern(s.pattern);
  const std::string how = s.status == Status::kMeasured && s.stop
                              ? std::string(to_string(*s.stop))
                              : std::string(to_string(s.status));
  const auto bandwidth = s.bandwidth_MBps();
  fmt::format_to(
      out, "{:>5} {:>7} {:>4} {:<15} {:>10} {:>10} {:>2} {:>10} {:>11.3f} {:>10.4f} {} {}",
      plan.partitions.at(static_cast<std::size_t>(s.partition)), to_string(s.access), s.pattern,
      row(pattern.type).name, pattern.chunk > 0 ? fmt::format("{}", pattern.chunk) : "rest",
      pattern.chunk > 0 ? fmt::format("{}", pattern.memory) : "rest", pattern.time_units,
      s.repetitions, mbytes(s.bytes), s.time, cell(bandwidth), how);
  if (s.error) {
    fmt::format_to(out, ": {}", *s.error);
  }
  fmt::format_to(out, "\n");
}

void write_samples(Lines out, const Plan& plan, const Result& result) {
  fmt::format_to(out, "Every pattern\n-------------\n\n");
  fmt::format_to(
      out, "{:>5} {:>7} {:>4} {:<15} {:>10} {:>10} {:>2} {:>10} {:>11} {:>10} {:>9} {}\n", "PEs",
      "access", "pat", "type", "l", "L", "U", "calls", "MBytes", "time [s]", "MB/s", "ended by");
  for (const auto& sample : result.measurement.samples) {
    write_sample(out, plan, sample);
  }
  fmt::format_to(out, "\n");
}

void write_cache(Lines out, const Plan& plan, const Result& result) {
  fmt::format_to(out, "{}\n", sentence(result.medium));
  for (const auto& state : result.measurement.cache) {
    fmt::format_to(out, "  {} of {} processes: {} of files", to_string(state.access),
                   plan.partitions.at(static_cast<std::size_t>(state.partition)),
                   format_size(state.file_bytes));
    if (state.resident_before) {
      fmt::format_to(out, ", {} in the page caches before", format_size(*state.resident_before));
    }
    if (state.read_from_disk) {
      fmt::format_to(out, ", {} read from disk", format_size(*state.read_from_disk));
    }
    if (state.read_by_devices) {
      fmt::format_to(out, ", {} by the devices below", format_size(*state.read_by_devices));
    }
    fmt::format_to(out, "{}\n", state.dropped ? ", caches asked to drop them first" : "");
  }
  fmt::format_to(out, "\n");
}

/// What the library made of a hint.
std::string answer_to(const HintNote& hint, const std::string& key, const std::string& value) {
  const auto accepted = hint.accepted.find(key);
  if (accepted == hint.accepted.end()) {
    return "not reported by the library";
  }
  return accepted->second == value ? "accepted" : "became " + accepted->second;
}

void write_hints(Lines out, const Plan& plan, const Result& result) {
  if (result.measurement.hints.empty()) {
    return;
  }
  fmt::format_to(out, "Hints\n-----\n\n");
  for (const auto& hint : result.measurement.hints) {
    fmt::format_to(out, "{} of {} processes, {}, {}:", to_string(hint.access),
                   plan.partitions.at(static_cast<std::size_t>(hint.partition)),
                   row(hint.type).name,
                   hint.pattern ? fmt::format("pattern {}", *hint.pattern) : "on open");
    for (const auto& [key, value] : hint.requested) {
      fmt::format_to(out, " {}={} ({})", key, value, answer_to(hint, key, value));
    }
    fmt::format_to(out, "\n");
  }
  fmt::format_to(out, "\n");
}

void write_decisions(Lines out, const Plan& plan, const Result& result) {
  for (std::size_t p = 0; p < result.measurement.partitions.size(); ++p) {
    const auto cost = decision_cost(result.measurement, p);
    fmt::format_to(
        out,
        "{} processes agreed {} times on when to stop, {} each: at most {:.2f} percent of "
        "the loops' time\n",
        plan.partitions[p], cost.count, format_duration(cost.each), 100 * cost.share.value_or(0));
  }
  const auto& check = result.measurement.data_check;
  if (check.mode == "none") {
    fmt::format_to(out, "What was read was not compared with what had been written\n");
  } else {
    fmt::format_to(out, "{} chunks compared with what had been written ({}): {} wrong\n",
                   check.chunks_checked, check.mode, check.wrong_chunks);
  }
  fmt::format_to(out, "\n");
}

void write_criteria(Lines out, const Result& result) {
  fmt::format_to(out, "{}\n",
                 result.valid() ? "VALID for comparison of different systems"
                                : "NOT VALID for comparison of different systems");
  int number = 0;
  for (const auto& criterion : result.criteria) {
    fmt::format_to(out, "  criterion {}: {}: {} -- {}: {}\n", ++number, criterion.code,
                   required_text(criterion), criterion.met ? "reached" : "NOT reached",
                   found_text(criterion, result.environment));
  }
  for (const auto& caution : result.cautions) {
    fmt::format_to(out, "  caution: {}\n", sentence(caution));
  }
}

void write_values(Lines out, const Plan& plan, const Result& result) {
  const auto& figures = result.figures;
  fmt::format_to(out, "Maximum over all number of PEs\n------------------------------\n\n");
  for (const Release release : kReleases) {
    fmt::format_to(out, "by release {:<4}:", to_string(release));
    for (std::size_t p = 0; p < plan.partitions.size(); ++p) {
      fmt::format_to(out, " {} ({} PEs)", cell(figures.partitions[p][release]), plan.partitions[p]);
    }
    fmt::format_to(out, "  maximum {} MB/s{}\n", cell(figures[release]),
                   release == plan.release ? "  <- b_eff_io" : "");
  }
  fmt::format_to(out, "\n");
  const auto& value = result.value(plan);
  const auto minutes = result.memory_write_minutes(plan);
  if (value && minutes) {
    fmt::format_to(out, "total memory / b_eff_io = {:.3f} MB / {:.3f} MB/s = {:.1f} min\n\n",
                   static_cast<double>(result.environment.memory.total) / kBytesPerMB, *value,
                   *minutes);
  }
}

/// What release 2.1 calls wbw, and the best type.
void write_by_type(Lines out, const Plan& plan, const PartitionFigures& figures) {
  fmt::format_to(out, "Each type by the time units U of its patterns, and the best type\n\n");
  for (const Access access : kAccesses) {
    if (!was_run(plan, access)) {
      continue;
    }
    const auto& of = figures[access];
    fmt::format_to(out, "  {:<8}", to_string(access));
    for (std::size_t type = 0; type < kOfficialTypes; ++type) {
      fmt::format_to(out, " {}", cell(of.weighted.at(type)));
    }
    const auto best = of.best_type();
    fmt::format_to(out, " MB/s   best: {}\n", best ? kTypes.at(*best).name : "none");
  }
  fmt::format_to(out, "\n");
}

/// By chunk size, type and access: what 8 more byte in each chunk leave of the bandwidth.
void write_wellformed(Lines out, const Plan& plan, const Result& result, int partition) {
  fmt::format_to(out, "Non-wellformed (+8) against wellformed chunks\n\n");
  for (const Access access : kAccesses) {
    for (int position = 1; position <= kPositions; ++position) {
      std::string cells;
      bool any = false;
      for (const Type type : plan.types) {
        const auto* pattern = at_position(plan, type, position);
        Figure ratio;
        for (const auto& pair : wellformed_pairs(plan)) {
          if (pattern != nullptr && pair.plus8 == pattern->number) {
            ratio = wellformed_ratio(result.measurement, partition, pair, access);
          }
        }
        any = any || ratio;
        cells += row(type).official ? fmt::format(" {}", cell(ratio)) : "";
      }
      if (any) {
        fmt::format_to(out, "  {:<8} {:>8}{}\n", to_string(access), chunk_at(plan, position),
                       cells);
      }
    }
  }
  fmt::format_to(out, "\n");
}

/// Table, pattern 2, averages and amount of one partition.
std::string partition_table(const Plan& plan, const Result& result, std::size_t partition) {
  std::string text;
  const Lines out(text);
  const int processes = plan.partitions.at(partition);
  const auto& figures = result.figures.partitions.at(partition);
  const auto title = fmt::format(
      "Summary of file I/O bandwidth accumulated on {:>3} processes with {:>4} MByte/PE", processes,
      memory_text(plan.memory_per_process));
  fmt::format_to(out, "{}\n{}\n\n", title, std::string(title.size(), '-'));

  fmt::format_to(out, " number pos   chunk-  access  ");
  for (const Type type : plan.types) {
    fmt::format_to(out, " {:>9}", fmt::format("type={}", index_of(type)));
  }
  fmt::format_to(out, "\n of PEs     size (l)  method  ");
  for (const Type type : plan.types) {
    fmt::format_to(out, " {:>9}", row(type).official ? row(type).name : "random");
  }
  fmt::format_to(out, "\n             [bytes]          ");
  for (std::size_t i = 0; i < plan.types.size(); ++i) {
    fmt::format_to(out, " {:>9}", "[MB/s]");
  }
  fmt::format_to(out, "\n\n");
  for (const Access access : kAccesses) {
    if (was_run(plan, access)) {
      write_rows(out, plan, result, partition, access);
    }
  }
  write_pattern_beside_table(out, plan, result, partition);
  for (const Access access : kAccesses) {
    fmt::format_to(out, "weighted average bandwidth for {:<8}: {} on {} processes\n",
                   to_string(access), average_text(figures[access].average), processes);
  }
  fmt::format_to(out, "(type=0 is weighted double)\n\n");
  write_by_type(out, plan, figures);
  write_wellformed(out, plan, result, static_cast<int>(partition));

  const Bytes written = figures[Access::kWrite].bytes;
  fmt::format_to(out,
                 "Total amount of data written/read with each access method: {:.3f} MBytes{}\n",
                 mbytes(written), percent_of_memory(written, result.environment.memory.total));
  for (const Access access : {Access::kRewrite, Access::kRead}) {
    if (figures[access].bytes != written) {
      fmt::format_to(out, "  {}: {:.3f} MBytes\n", to_string(access),
                     mbytes(figures[access].bytes));
    }
  }
  fmt::format_to(out, "\n");
  return text;
}

std::string value_line(const Plan& plan, const Result& result) {
  const auto& value = result.value(plan);
  const auto& best = result.figures.best;
  std::string text = "b_eff_io of these measurements = ";
  text += value ? fmt::format("{:>8.3f} MB/s", *value) : "not available";
  text += fmt::format(
      " on {} processes with {} MByte/PE and scheduled time={:.1f} min on {}",
      best ? plan.partitions.at(*best) : plan.processes, memory_text(plan.memory_per_process),
      partition_time(plan) / kSecondsPerMinute, machine_text(result.environment.uname));
  if (!result.valid()) {
    text += ", NOT VALID (see the criteria above)";
  }
  return text;
}

}  // namespace

std::string last_line(const Plan& plan, const Result& result) {
  return fmt::format("procedure {}: {}\n{}", to_string(plan.procedure), explained(plan.procedure),
                     value_line(plan, result));
}

std::string summary_text(const Plan& plan, const Result& result) {
  std::string text;
  const Lines out(text);
  write_head(out, plan, result);
  fmt::format_to(out, "\n");
  for (std::size_t p = 0; p < plan.partitions.size(); ++p) {
    text += partition_table(plan, result, p);
  }
  write_samples(out, plan, result);
  write_cache(out, plan, result);
  write_hints(out, plan, result);
  write_decisions(out, plan, result);
  write_values(out, plan, result);
  write_criteria(out, result);
  return text;
}

std::string protocol_text(const Plan& plan, const Result& result) {
  return summary_text(plan, result) + "\n" + last_line(plan, result) + "\n";
}

}  // namespace beff::b_eff_io
