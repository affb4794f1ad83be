#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/b_eff_io/result.hpp"
#include "core/benchmark.hpp"
#include "core/record/result.hpp"

namespace beff::b_eff_io {
namespace {

constexpr int kWidth = 9;  // of a column of a type

std::string underlined(const std::string& title) { return heading(title).substr(1) + "\n"; }

std::string head_text(const Plan& plan, const Result& result) {
  const auto& e = result.environment;
  const auto& measured = result.measurement;
  const auto& fs = measured.file_system;
  const std::vector<std::pair<std::string_view, std::string>> lines{
      {"processes",
       fmt::format("{} on {} nodes: {}", e.processes, e.nodes(), compressed_host_list(e.hosts))},
      {"partitions", fmt::format("{} processes", fmt::join(plan.partitions, ", "))},
      {"scheduled time T",
       fmt::format("{} for all partitions, rewrite of {} types", format_duration(plan.time),
                   plan.rewritten() == RewriteSet::kAll ? "all" : "the scatter")},
      {"procedure", fmt::format("{}: {}", to_string(plan.procedure), explained(plan.procedure))},
      {"type 1",
       fmt::format("{} file pointers", measured.shared_pointers ? "shared" : "individual")},
      {"files in", fmt::format("{} ({}{}{})", fmt::join(fs.paths, ", "), fs.kind,
                               fs.mount.empty() ? "" : ", ", fs.mount)},
      {"file system",
       fmt::format("{} free of {} at start, {} kept free", format_size(fs.free_at_start),
                   format_size(fs.total), format_size(plan.reserve))},
      {"file system note", fs.note.value_or("")},
      {"threads", threads_text(e)},
      {"load", load_text(measured.loads, e.hosts)},
      {"MPI", fmt::format("{} (MPI {})", e.mpi.library, e.mpi.standard)},
      {"machine", fmt::format("{}, {}", machine_text(e.uname), e.cpu.model)},
      {"Date of measurement", e.started_at}};
  std::string text = fmt::format(
      "b_eff_io, program version {} ({}), value by release {}\n\n"
      "MEMORY_PER_PROCESSOR = {:>8} MBytes  [1MBytes = 1024*1024 bytes, 1MB = 1e6 bytes]\n"
      "Maximum chunk size   = {:>8.3f} MBytes\n\n",
      result.program.version, result.program.git_commit, to_string(plan.release),
      memory_text(plan.memory_per_process), mbytes(plan.m_part));
  for (const auto& [name, value] : lines) {
    text += value.empty() ? "" : fmt::format("{:<20}{}\n", name, value);
  }
  return text + "\n";
}

/// The reported pattern at a row of the table, or null.
const Pattern* at_position(const Plan& plan, Type type, int position) {
  const auto pattern = std::ranges::find_if(
      plan.patterns, [&](const Pattern& p) { return p.type == type && p.position == position; });
  return pattern == plan.patterns.end() ? nullptr : &*pattern;
}

Bytes chunk_at(const Plan& plan, int position) {
  for (const Type type : plan.types) {
    if (const auto* pattern = at_position(plan, type, position)) {
      return pattern->chunk;
    }
  }
  return 0;
}

std::vector<Access> accesses_of(const Plan& plan) {
  std::vector<Access> accesses;
  std::ranges::copy_if(kAccesses, std::back_inserter(accesses), [&](Access access) {
    return std::ranges::any_of(plan.types, [&](Type t) { return plan.has(access, t); });
  });
  return accesses;
}

/// A column of each type: a text, or a figure.
std::string columns_of(const std::vector<Type>& types, const auto& get) {
  std::string text;
  for (const Type type : types) {
    if constexpr (std::is_same_v<decltype(get(type)), Figure>) {
      text += " " + cell(get(type), kWidth);
    } else {
      text += fmt::format(" {:>{}}", get(type), kWidth);
    }
  }
  return text;
}

std::string rows_text(const Plan& plan, const Measurement& measured, int partition, Access access) {
  const int processes = plan.partitions.at(static_cast<std::size_t>(partition));
  std::string text;
  for (int position = 1; position <= kPositions; ++position) {
    if (const Bytes chunk = chunk_at(plan, position); chunk > 0) {
      text += fmt::format("{:>4} PEs {} {:>10} {:<7}{}\n", processes, position, chunk,
                          to_string(access), columns_of(plan.types, [&](Type type) {
                            const auto* pattern = at_position(plan, type, position);
                            return pattern != nullptr ? pattern_bandwidth(measured, partition,
                                                                          pattern->number, access)
                                                      : Figure();
                          }));
    }
  }
  return text + fmt::format(
                    "{:>4} PEs      total-{:<9}{}\n\n", processes, to_string(access),
                    columns_of(plan.types, [&](Type type) {
                      const auto total =
                          std::ranges::find_if(measured.types, [&](const TypeSample& s) {
                            return s.partition == partition && s.type == type && s.access == access;
                          });
                      return total == measured.types.end() ? Figure() : total->bandwidth_MBps();
                    }));
}

/// By chunk size, type and access: what 8 more byte in each chunk leave of the bandwidth.
std::string wellformed_text(const Plan& plan, const Measurement& measured, int partition) {
  std::vector<Type> official;
  std::ranges::copy_if(plan.types, std::back_inserter(official),
                       [](Type type) { return row(type).official; });
  const auto pairs = wellformed_pairs(plan);
  std::string text = "Non-wellformed (+8) against wellformed chunks\n\n";
  for (const Access access : kAccesses) {
    for (int position = 1; position <= kPositions; ++position) {
      bool any = false;
      const auto columns = columns_of(official, [&](Type type) {
        const auto* pattern = at_position(plan, type, position);
        const auto pair = pattern == nullptr
                              ? pairs.end()
                              : std::ranges::find(pairs, pattern->number, &WellformedPair::plus8);
        const auto ratio =
            pair == pairs.end() ? Figure() : wellformed_ratio(measured, partition, *pair, access);
        any = any || ratio;
        return ratio;
      });
      text += any ? fmt::format("  {:<8} {:>8}{}\n", to_string(access), chunk_at(plan, position),
                                columns)
                  : "";
    }
  }
  return text + "\n";
}

/// Table, pattern 2, averages and amount of one partition.
std::string partition_text(const Plan& plan, const Result& result, std::size_t number) {
  const int processes = plan.partitions.at(number);
  const auto partition = static_cast<int>(number);
  const auto& measured = result.measurement;
  const auto& figures = result.figures.partitions.at(number);
  const auto accesses = accesses_of(plan);
  std::string text = underlined(fmt::format(
      "Summary of file I/O bandwidth accumulated on {:>3} processes with {:>4} MByte/PE", processes,
      memory_text(plan.memory_per_process)));
  text += fmt::format(
      " number pos   chunk-  access  {}\n of PEs     size (l)  method  {}\n             [bytes]    "
      "      {}\n\n",
      columns_of(plan.types, [](Type t) { return fmt::format("type={}", index_of(t)); }),
      columns_of(plan.types, [](Type t) { return row(t).name.substr(0, kWidth); }),
      columns_of(plan.types, [](Type) { return "[MB/s]"; }));
  for (const Access access : accesses) {
    text += rows_text(plan, measured, partition, access);
  }
  if (plan.has(Type::kScatter)) {
    std::vector<std::string> cells;
    for (const Access access : kAccesses) {
      cells.push_back(
          cell(pattern_bandwidth(measured, partition, kPatternBesideTable, access), kWidth) +
          fmt::format(" MB/s {}", to_string(access)));
    }
    text += fmt::format(
        "Not in the table is pattern 2 (scatter, l=1MBytes, L=2MBytes):\n  bw_pat2={}\n\n",
        fmt::join(cells, ", "));
  }
  for (const Access access : kAccesses) {
    const auto& average = figures[access].average;
    text +=
        fmt::format("weighted average bandwidth for {:<8}: {} on {} processes\n", to_string(access),
                    average ? cell(average, 8) + " MB/s" : "not measured", processes);
  }
  text +=
      "(type=0 is weighted double)\n\n"
      // what release 2.1 calls wbw
      "Each type by the time units U of its patterns, and the best type\n\n";
  for (const Access access : accesses) {
    const auto best = figures[access].best_type();
    text += fmt::format("  {:<8}", to_string(access));
    for (const auto& weighted : figures[access].weighted) {
      text += " " + cell(weighted, kWidth);
    }
    text += fmt::format(" MB/s   best: {}\n", best ? kTypes.at(*best).name : "none");
  }
  text += "\n" + wellformed_text(plan, measured, partition);

  const Bytes written = figures[Access::kWrite].bytes;
  const Bytes memory = result.environment.memory.total;
  text += fmt::format("Total amount of data written/read with each access method: {:.3f} MBytes",
                      mbytes(written));
  if (memory > 0) {
    text += fmt::format(" = {:.1f} percent of the total memory ({:.0f} MBytes)",
                        100.0 * static_cast<double>(written) / static_cast<double>(memory),
                        mbytes(memory));
  }
  for (const Access access : {Access::kRewrite, Access::kRead}) {
    if (figures[access].bytes != written) {
      text +=
          fmt::format("\n  {}: {:.3f} MBytes", to_string(access), mbytes(figures[access].bytes));
    }
  }
  return text + "\n\n";
}

std::string samples_text(const Plan& plan, const std::vector<Sample>& samples) {
  const auto line = [](const auto&... cells) {
    return fmt::format(
        "{:>5} {:>7} {:>4} {:<15} {:>10} {:>10} {:>2} {:>10} {:>11} {:>10} {:>9} {}\n", cells...);
  };
  std::string text =
      underlined("Every pattern") + line("PEs", "access", "pat", "type", "l", "L", "U", "calls",
                                         "MBytes", "time [s]", "MB/s", "ended by");
  for (const auto& s : samples) {
    const auto& pattern = plan.pattern(s.pattern);
    const auto length = [&](Bytes bytes) {
      return pattern.chunk > 0 ? fmt::format("{}", bytes) : "rest";
    };
    text += line(plan.partitions.at(static_cast<std::size_t>(s.partition)), to_string(s.access),
                 s.pattern, row(pattern.type).name, length(pattern.chunk), length(pattern.memory),
                 pattern.time_units, s.repetitions, fmt::format("{:.3f}", mbytes(s.bytes)),
                 fmt::format("{:.4f}", s.time), cell(s.bandwidth_MBps(), kWidth),
                 fmt::format("{}{}{}",
                             s.status == Status::kMeasured && s.stop ? to_string(*s.stop)
                                                                     : to_string(s.status),
                             s.error ? ": " : "", s.error.value_or("")));
  }
  return text + "\n";
}

std::string cache_text(const Plan& plan, const Result& result) {
  std::string text = sentence(result.medium) + "\n";
  for (const auto& state : result.measurement.cache) {
    text += fmt::format("  {} of {} processes: {} of files", to_string(state.access),
                        plan.partitions.at(static_cast<std::size_t>(state.partition)),
                        format_size(state.file_bytes));
    for (const auto& [bytes, what] : {std::pair(state.resident_before, "in the page caches before"),
                                      {state.read_from_disk, "read from disk"},
                                      {state.read_by_devices, "by the devices below"}}) {
      text += bytes ? fmt::format(", {} {}", format_size(*bytes), what) : "";
    }
    text += state.dropped ? ", caches asked to drop them first\n" : "\n";
  }
  return text + "\n";
}

/// What the library made of a hint.
std::string answer_to(const HintNote& hint, const std::string& key, const std::string& value) {
  const auto accepted = hint.accepted.find(key);
  if (accepted == hint.accepted.end()) {
    return "not reported by the library";
  }
  return accepted->second == value ? "accepted" : "became " + accepted->second;
}

std::string hints_text(const Plan& plan, const std::vector<HintNote>& hints) {
  std::string text = hints.empty() ? "" : underlined("Hints");
  for (const auto& hint : hints) {
    text += fmt::format("{} of {} processes, {}, {}:", to_string(hint.access),
                        plan.partitions.at(static_cast<std::size_t>(hint.partition)),
                        row(hint.type).name,
                        hint.pattern ? fmt::format("pattern {}", *hint.pattern) : "on open");
    for (const auto& [key, value] : hint.requested) {
      text += fmt::format(" {}={} ({})", key, value, answer_to(hint, key, value));
    }
    text += '\n';
  }
  return hints.empty() ? "" : text + "\n";
}

std::string decisions_text(const Plan& plan, const Measurement& measured) {
  std::string text;
  for (std::size_t p = 0; p < measured.partitions.size(); ++p) {
    const auto cost = decision_cost(measured, p);
    text += fmt::format(
        "{} processes agreed {} times on when to stop, {} each: at most {:.2f} percent of "
        "the loops' time\n",
        plan.partitions[p], cost.count, format_duration(cost.each), 100 * cost.share.value_or(0));
  }
  const auto& check = measured.data_check;
  return text +
         (check.mode == "none"
              ? "What was read was not compared with what had been written\n\n"
              : fmt::format("{} chunks compared with what had been written ({}): {} wrong\n\n",
                            check.chunks_checked, check.mode, check.wrong_chunks));
}

std::string values_text(const Plan& plan, const Result& result) {
  const auto& figures = result.figures;
  std::string text = underlined("Maximum over all number of PEs");
  for (const Release release : kReleases) {
    text += fmt::format("by release {:<4}:", to_string(release));
    for (std::size_t p = 0; p < plan.partitions.size(); ++p) {
      text += fmt::format(" {} ({} PEs)", cell(figures.partitions[p][release], kWidth),
                          plan.partitions[p]);
    }
    text += fmt::format("  maximum {} MB/s{}\n", cell(figures[release], kWidth),
                        release == plan.release ? "  <- b_eff_io" : "");
  }
  const auto& value = result.value(plan);
  const auto minutes = result.memory_write_minutes(plan);
  if (value && minutes) {
    text += fmt::format("\ntotal memory / b_eff_io = {:.3f} MB / {:.3f} MB/s = {:.1f} min\n",
                        static_cast<double>(result.environment.memory.total) / kBytesPerMB, *value,
                        *minutes);
  }
  if (const auto share = result.percent_of_peak(plan)) {
    text += fmt::format("b_eff_io / peak of the hardware = {:.1f} percent of {:.3f} MB/s\n", *share,
                        *result.measurement.file_system.peak_MBps);
  }
  return text + "\n";
}

std::string criteria_text(const Result& result) {
  std::string text = result.valid() ? "VALID for comparison of different systems\n"
                                    : "NOT VALID for comparison of different systems\n";
  int number = 0;
  for (const auto& criterion : result.criteria) {
    text += fmt::format("  criterion {}: {}: {} -- {}: {}\n", ++number, criterion.code,
                        required_text(criterion), criterion.met ? "reached" : "NOT reached",
                        found_text(criterion, result.environment));
  }
  for (const auto& caution : result.cautions) {
    text += fmt::format("  caution: {}\n", sentence(caution));
  }
  return text;
}

}  // namespace

std::string last_line(const Plan& plan, const Result& result) {
  const auto& value = result.value(plan);
  const auto& best = result.figures.best;
  return fmt::format(
      "procedure {}: {}\nb_eff_io of these measurements = {} on {} processes with {} MByte/PE and "
      "scheduled time={:.1f} min on {}{}",
      to_string(plan.procedure), explained(plan.procedure),
      value ? cell(value, 8) + " MB/s" : "not available",
      best ? plan.partitions.at(*best) : plan.processes, memory_text(plan.memory_per_process),
      partition_time(plan) / kSecondsPerMinute, machine_text(result.environment.uname),
      result.valid() ? "" : ", NOT VALID (see the criteria above)");
}

std::string summary_text(const Plan& plan, const Result& result) {
  const auto& measured = result.measurement;
  std::string text = head_text(plan, result);
  for (std::size_t partition = 0; partition < plan.partitions.size(); ++partition) {
    text += partition_text(plan, result, partition);
  }
  return text + samples_text(plan, measured.samples) + cache_text(plan, result) +
         hints_text(plan, measured.hints) + decisions_text(plan, measured) +
         values_text(plan, result) + criteria_text(result);
}

std::string protocol_text(const Plan& plan, const Result& result) {
  return summary_text(plan, result) + "\n" + last_line(plan, result) + "\n";
}

}  // namespace beff::b_eff_io
