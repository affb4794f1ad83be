#include "engines/b_eff_io/setup.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <ranges>
#include <stdexcept>

#include "core/record/json.hpp"
#include "engines/common/watch/end.hpp"

namespace beff::b_eff_io {
namespace {

constexpr const char* kUsage =
    "Usage: mpiexec -n N b_eff_io --path DIR [options]\n"
    "Measures the effective bandwidth of parallel file I/O of N processes in DIR and writes\n"
    "PREFIX.json, PREFIX.txt and PREFIX.journal.jsonl. Examples:\n"
    "  mpiexec -n 4 b_eff_io --path /scratch/me\n"
    "  mpiexec -n 4 b_eff_io --path /scratch/me --time 1min --max-data 4GiB   (short, not valid)";

Type parse_type(const std::string& text) {
  if (const auto type = type_named(text)) {
    return *type;
  }
  for (const auto& entry : kTypes) {
    if (text == std::to_string(index_of(entry.type))) {
      return entry.type;
    }
  }
  const auto known = kTypes | std::views::transform([](const TypeRow& entry) {
                       return fmt::format("{} {}", index_of(entry.type), entry.name);
                     });
  throw std::invalid_argument(
      fmt::format("'{}' is not a type; the types are {}", text, fmt::join(known, ", ")));
}

std::vector<Type> parse_types(const std::string& text) {
  std::vector<Type> types;
  if (text == "all") {
    for (const auto& entry : kTypes) {
      types.push_back(entry.type);
    }
    return types;
  }
  for (const auto& part : split_list(text)) {
    const auto dash = part.find('-');
    const bool range = dash != std::string::npos && !type_named(part);
    const auto first = index_of(parse_type(range ? part.substr(0, dash) : part));
    const auto last = range ? index_of(parse_type(part.substr(dash + 1))) : first;
    for (auto index = first; index <= last; ++index) {
      types.push_back(kTypes.at(index).type);
    }
  }
  if (types.empty()) {
    throw std::invalid_argument("must be a list such as 0-2 or scatter,separate");
  }
  return types;
}

void parse_path(const std::string& text, Folders& folders) {
  const auto equals = text.find('=');
  const auto type = equals == std::string::npos ? std::nullopt : type_named(text.substr(0, equals));
  const auto folder = type ? text.substr(equals + 1) : text;
  if (folder.empty()) {
    throw std::invalid_argument("must be a folder, or TYPE=FOLDER for one pattern type");
  }
  if (type) {
    folders.by_type[*type] = folder;
  } else {
    folders.all = folder;
  }
}

std::vector<int> parse_partitions(const std::string& text) {
  std::vector<int> sizes;
  for (const auto& part : split_list(text)) {
    sizes.push_back(parse_count(part));
  }
  if (sizes.empty()) {
    throw std::invalid_argument("must be numbers of processes such as 2,8,64");
  }
  return sizes;
}

/// Segments are added up over processes and types.
Bytes parse_segment_unit(const std::string& text) {
  constexpr Bytes kMost = kGiB << 10;
  const Bytes unit = parse_positive_size(text);
  if (unit > kMost) {
    throw std::invalid_argument(fmt::format("must be at most {}", format_size(kMost)));
  }
  return unit;
}

/// One line of free text that a result file and a table of results can hold.
std::string parse_note(const std::string& text) {
  constexpr std::size_t kLongest = 500;
  constexpr unsigned char kFirstPrintable = 0x20;
  constexpr unsigned char kDelete = 0x7f;
  if (text.empty() || text.size() > kLongest) {
    throw std::invalid_argument(
        fmt::format("must have 1 to {} byte, not {}", kLongest, text.size()));
  }
  if (std::ranges::any_of(text,
                          [](unsigned char c) { return c < kFirstPrintable || c == kDelete; })) {
    throw std::invalid_argument("must be one line without control characters");
  }
  return text;
}

double parse_rate_MBps(const std::string& text) {
  if (!text.ends_with("/s")) {
    throw std::invalid_argument("must be a rate, for example 1.2GB/s");
  }
  const auto size = text.substr(0, text.size() - std::string_view("/s").size());
  return static_cast<double>(parse_positive_size(size)) / kBytesPerMB;
}

Json folders_json(const Folders& folders) {
  Json json = Json::object();
  if (folders.all) {
    json["all"] = folders.all->string();
  }
  for (const auto& [type, folder] : folders.by_type) {
    json[std::string(row(type).name)] = folder.string();
  }
  return json;
}

std::vector<Option> schedule_options(Options& o) {
  return {
      {"path", "DIR",
       "folder for the files; repeat it as TYPE=DIR for the files of one pattern type",
       [&o](const std::string& text) { parse_path(text, o.folders); },
       [&o] { return folders_json(o.folders); }},
      {"time", "DURATION",
       "scheduled time T of all partitions together (default: the shortest that is valid, with "
       "release 1 15min for each)",
       [&o](const std::string& text) { o.request.time = parse_positive_duration(text); },
       [&o] { return o.request.time > 0 ? Json(o.request.time) : Json(nullptr); }},
      choice_option("release", "release whose definition gives the value (default 1)",
                    o.request.release, {Release::k0_5, Release::k1, Release::k2_1}),
      choice_option("procedure",
                    "cold: drop page caches before the read; original: leave them alone and let "
                    "the close of the read remove the files, as release 2.1 does (default cold)",
                    o.request.procedure, {Procedure::kCold, Procedure::kOriginal}),
      value_option("partitions", "LIST",
                   "numbers of processes, e.g. 2,8 (default three sizes up to N)",
                   o.request.partitions, parse_partitions),
      {"types", "LIST",
       "pattern types by number or name, or all with the random ones (default 0-4)",
       [&o](const std::string& text) { o.request.types = parse_types(text); },
       [&o] {
         const auto names = json_list(o.request.types, [](Type type) { return row(type).name; });
         return names.empty() ? Json(nullptr) : names;
       }},
      choice_option("rewrite", "types of the rewrite (default all; scatter with release 2.1)",
                    o.request.rewrite, {RewriteSet::kAll, RewriteSet::kScatterOnly}),
      choice_option("pointer", "file pointers of type 1 (default shared)", o.request.pointer,
                    {Pointer::kShared, Pointer::kIndividual}),
      value_option("info", "FILE",
                   "hints for MPI; lines 'PROCESSES ACCESS TYPE on_open|CHUNK KEY VALUE'",
                   o.hints_file, std::identity()),
      size_option("max-data", "bound of what the initial writes put on disk (then not valid)",
                  o.request.max_data),
      size_option("max-segment", "bound of the segments of types 3 and 4 (then not valid)",
                  o.request.max_segment),
      size_option("max-chunk", "bound of the largest chunk (default 1 GiB)", o.request.max_chunk),
      value_option("segment-unit", "SIZE",
                   "segments are multiples of it (default 1 MiB, or a larger striping unit)",
                   o.request.segment_unit, parse_segment_unit),
  };
}

std::vector<Option> honesty_options(Options& o) {
  return {
      choice_option("verify", "compare what was read with what was written (default sample)",
                    o.verify, {Verify::kNone, Verify::kSample, Verify::kFull}),
      flag_option("shift-readers",
                  "let processes read what another node wrote, where there are several",
                  o.shift_readers),
      size_option("total-memory",
                  "memory of the system (default: of its nodes, as far as the job may use it)",
                  o.memory.total),
      size_option("fs-cache", "size of the file system's cache, if known", o.fs_cache),
      value_option("io-peak", "RATE",
                   "what the hardware below promises, e.g. 1.2GB/s, to show the share of it",
                   o.io_peak_MBps, parse_rate_MBps),
      value_option("filesystem-note", "TEXT",
                   "what to record of the file system: servers, devices, non-default settings",
                   o.filesystem_note, parse_note),
      flag_option("keep-files", "do not remove the measured files", o.keep_files),
  };
}

/// Folders are needed for every type that runs.
void check_folders(const Options& options) {
  if (options.task != Task::kMeasure || options.folders.all) {
    return;
  }
  for (const Type type : options.request.types) {
    if (!options.folders.by_type.contains(type)) {
      throw UsageError(fmt::format(
          "--path is missing{}: name the folder to measure in, for example --path /scratch/me",
          options.folders.by_type.empty() ? "" : fmt::format(" for type {}", row(type).name)));
    }
  }
}

}  // namespace

Options parse_options(int argc, char** argv) {
  Options options;
  options.output = "b_eff_io";
  options.memory.total_of_nodes = true;       // their page caches may hold as much
  options.buffers.files_through_host = true;  // no library says whether its files take others
  const OptionTable table(
      kUsage,
      {task_options(options,
                    "print what would be measured, how long it takes and the space it needs"),
       schedule_options(options), honesty_options(options),
       run_options(options, {.seed = "seed of data and random types (default: new in each run)",
                             .time_limit = "end with a partial result after this time "
                                           "(default none)",
                             .hang_limit = "give the run up when one step takes longer (default "
                                           "10min, or T if that is longer)"}),
       display_options(options)});
  parse_common(table, options, argc, argv);
  try {
    options.request.types = planned_types(options.request.types);
  } catch (const PlanError& problem) {
    throw usage_error(problem);
  }
  check_folders(options);
  return options;
}

Plan planned(const Options& options, const Resources& resources, std::optional<Bytes> striping_unit,
             Bytes reserve) {
  auto request = options.request;
  request.processes = resources.processes;
  request.memory_per_process = resources.memory.per_process;
  request.striping_unit = striping_unit;
  request.reserve = reserve;
  request.seed = options.seed.value_or(0);
  try {
    auto plan = make_plan(request);
    options.hints.check_partitions(plan.partitions);
    return plan;
  } catch (const PlanError& problem) {
    throw usage_error(problem);
  } catch (const std::invalid_argument& problem) {
    throw UsageError(fmt::format("--info {}: {}", options.hints_file, problem.what()));
  }
}

}  // namespace beff::b_eff_io
