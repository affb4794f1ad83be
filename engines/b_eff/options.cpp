#include "engines/b_eff/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "core/random_permutation.hpp"
#include "engines/common/fail.hpp"
#include "engines/common/options.hpp"

namespace beff::b_eff {
namespace {

constexpr const char* kUsage =
    "Usage: mpiexec -n N b_eff [options]\n"
    "Measures the effective communication bandwidth of N processes and writes PREFIX.json,\n"
    "PREFIX.txt and PREFIX.journal.jsonl. Example:\n"
    "  mpiexec -n 4 b_eff --output results/b_eff --memory-per-process 2GiB";

std::vector<Method> parse_methods(const std::string& text) {
  if (text == "all") {
    std::vector<Method> all;
    for (const auto& entry : kMethods) {
      all.push_back(entry.method);
    }
    return all;
  }
  std::vector<Method> methods;
  for (const auto& name : split_list(text)) {
    const auto method = method_named(name);
    if (!method) {
      std::string known;
      for (const auto& entry : kMethods) {
        known += fmt::format("{}, ", entry.name);
      }
      throw std::invalid_argument(
          fmt::format("'{}' is no method; the methods are {}or all", name, known));
    }
    if (std::ranges::find(methods, *method) != methods.end()) {
      throw std::invalid_argument(fmt::format("names {} twice", name));
    }
    methods.push_back(*method);
  }
  if (methods.empty()) {
    throw std::invalid_argument("names no method");
  }
  return methods;
}

Definition parse_definition(const std::string& text) {
  if (text == "3.5") {
    return Definition::k3_5;
  }
  if (text == "3.1") {
    return Definition::k3_1;
  }
  throw std::invalid_argument("must be 3.5 or 3.1");
}

std::string parse_prefix(const std::string& text) {
  if (text.empty() || text.back() == '/') {
    throw std::invalid_argument("must end in a file name without ending, such as results/b_eff");
  }
  return text;
}

Json method_names(const std::vector<Method>& methods) {
  Json names = Json::array();
  for (const Method method : methods) {
    names.push_back(row(method).name);
  }
  return names;
}

/// Null stands for "all of them".
Json list_or_null(const std::vector<int>& list) {
  return list.empty() ? Json(nullptr) : Json(list);
}

OptionTable table_for(Options& o) {
  const auto task = [&o](Task asked) {
    return [&o, asked](const std::string&) { o.task = asked; };
  };
  return {
      kUsage,
      {
          {"help", "", "print this help", task(Task::kHelp), {}},
          {"version", "", "print version and commit", task(Task::kVersion), {}},
          {"plan",
           "[=json]",
           "print what would be measured and how long it takes, measure nothing",
           [&o](const std::string& form) {
             if (!form.empty() && form != "json") {
               throw std::invalid_argument("must be --plan or --plan=json");
             }
             o.task = Task::kPlan;
             o.plan_as_json = form == "json";
           },
           {}},
          {"processes",
           "N",
           "with --plan: for N processes instead of those started",
           [&o](const std::string& text) { o.processes = parse_count(text); },
           {}},
          {"probe",
           "",
           "print environment, clock and barrier cost as JSON, measure nothing",
           task(Task::kProbe),
           {}},
          {"output", "PREFIX", "write PREFIX.json, .txt, .journal.jsonl (default b_eff)",
           [&o](const std::string& text) { o.output = parse_prefix(text); },
           [&o] { return Json(o.output); }},
          {"overwrite", "", "replace the files of an earlier run",
           [&o](const std::string&) { o.overwrite = true; }, [&o] { return Json(o.overwrite); }},
          {"memory-per-process", "SIZE", "memory of one process, e.g. 2GiB (default: looked up)",
           [&o](const std::string& text) { o.memory.per_process = parse_positive_size(text); },
           [&o] { return or_null(o.memory.per_process); }},
          {"memory-per-node", "SIZE", "memory of one node, shared by its processes",
           [&o](const std::string& text) { o.memory.per_node = parse_positive_size(text); },
           [&o] { return or_null(o.memory.per_node); }},
          {"seed", "N", "seed of the random rings (default: new in each run)",
           [&o](const std::string& text) { o.seed = parse_natural(text, kLargestSeed); },
           [&o] { return or_null(o.seed); }},
          {"definition", "3.5|3.1", "definition of the value (default 3.5)",
           [&o](const std::string& text) { o.definition = parse_definition(text); },
           [&o] { return Json(to_string(o.definition)); }},
          {"methods", "LIST",
           "transfer methods, or all (default sendrecv,alltoallv,nonblocking; others are reported "
           "beside the value)",
           [&o](const std::string& text) { o.methods = parse_methods(text); },
           [&o] { return o.methods.empty() ? Json(nullptr) : method_names(o.methods); }},
          {"patterns", "LIST", "only these pattern ids, e.g. 0-5,39 (then no value)",
           [&o](const std::string& text) {
             o.pattern_ids = parse_number_list(text, kPatterns - 1);
           },
           [&o] { return list_or_null(o.pattern_ids); }},
          {"sizes", "LIST", "only these message sizes by index 0-20 (then no value)",
           [&o](const std::string& text) {
             o.size_indices = parse_number_list(text, kMessageSizes - 1);
           },
           [&o] { return list_or_null(o.size_indices); }},
          {"repetitions", "N", "repetitions of each measurement (default 3)",
           [&o](const std::string& text) { o.repetitions = parse_count(text); },
           [&o] { return Json(o.repetitions); }},
          {"loop-time", "DURATION", "shortest time of a loop, e.g. 500us (default 2.5ms)",
           [&o](const std::string& text) { o.loop_time.shortest = parse_positive_duration(text); },
           [&o] { return Json(o.loop_time.shortest); }},
          {"time-limit", "DURATION", "end with a partial result after this time (default 30min)",
           [&o](const std::string& text) { o.time_limit = parse_positive_duration(text); },
           [&o] { return Json(o.time_limit); }},
          {"nodes", "N", "refuse to measure unless the processes run on N nodes",
           [&o](const std::string& text) { o.nodes = parse_count(text); },
           [&o] { return or_null(o.nodes); }},
          {"rmax", "GFLOPS", "Linpack R_max of these processes, for the balance b_eff / R_max",
           [&o](const std::string& text) { o.rmax_gflops = parse_positive(text); },
           [&o] { return or_null(o.rmax_gflops); }},
          {"no-check", "", "do not check received data (then not valid)",
           [&o](const std::string&) { o.check_data = false; },
           [&o] { return Json(!o.check_data); }},
          {"progress",
           "auto|always|never",
           "progress on standard error: bar on a terminal and lines elsewhere, bar always, or none",
           [&o](const std::string& text) { o.progress = parse_progress_mode(text); },
           {}},
          {"quiet",
           "",
           "print only the last line",
           [&o](const std::string&) { o.quiet = true; },
           {}},
      }};
}

}  // namespace

Options parse_options(int argc, char** argv) {
  Options options;
  const auto table = table_for(options);
  table.parse(argc, argv);
  if (options.memory.per_process && options.memory.per_node) {
    throw UsageError("--memory-per-process and --memory-per-node exclude each other; give one");
  }
  if (options.processes && options.task != Task::kPlan) {
    throw UsageError(
        fmt::format("--processes {}: only --plan takes it; start the processes by mpiexec -n {}",
                    *options.processes, *options.processes));
  }
  options.effective = table.effective();
  options.help = table.help();
  return options;
}

PlanRequest plan_request(const Options& options, int processes, Bytes memory_per_process) {
  return {.processes = processes,
          .memory_per_process = memory_per_process,
          .seed = options.seed,
          .definition = options.definition,
          .methods = options.methods,
          .pattern_ids = options.pattern_ids,
          .size_indices = options.size_indices,
          .repetitions = options.repetitions,
          .loop_time = options.loop_time};
}

}  // namespace beff::b_eff
