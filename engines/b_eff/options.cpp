#include "engines/b_eff/mpi_machine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>
#include <stdexcept>

#include "core/record/json.hpp"
#include "engines/b_eff/transfer.hpp"
#include "engines/common/watch/end.hpp"

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
      const auto known = kMethods | std::views::transform(&MethodRow::name);
      throw std::invalid_argument(fmt::format("'{}' is not a method; the methods are {}, or all",
                                              name, fmt::join(known, ", ")));
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

std::vector<Option> benchmark_options(Options& o) {
  return {
      {"probe",
       "",
       "print environment, clock and barrier cost as JSON, measure nothing",
       [&o](const std::string&) { o.task = Task::kProbe; },
       {}},
      choice_option("definition",
                    "definition of the value (default 3.5; short-1: a minute for every day, only "
                    "beside its own kind)",
                    o.request.definition,
                    {Definition::k3_5, Definition::k3_1, Definition::kShort1}),
      choice_option("random-order",
                    "how random rings are drawn (default uniform; 3.6: as that "
                    "release, for a value beside published ones)",
                    o.request.random_order, {RandomOrder::kUniform, RandomOrder::kRelease3_6}),
      {"methods", "LIST",
       "transfer methods, or all (default sendrecv,alltoallv,nonblocking; others are reported "
       "beside the value)",
       [&o](const std::string& text) { o.request.methods = parse_methods(text); },
       [&o] {
         const auto names = json_list(o.request.methods, [](Method m) { return row(m).name; });
         return names.empty() ? Json(nullptr) : names;
       }},
      value_option(
          "patterns", "LIST", "only these pattern ids, e.g. 0-5,39 (then no value)",
          o.request.pattern_ids,
          [](const std::string& text) { return parse_number_list(text, kLargestPatternId); }),
      value_option(
          "sizes", "LIST", "only these message sizes by index 0-20 (then no value)",
          o.request.size_indices,
          [](const std::string& text) { return parse_number_list(text, kMessageSizes - 1); }),
      value_option("repetitions", "N", "repetitions of each measurement (default 3)",
                   o.request.repetitions, parse_count),
      value_option("loop-time", "DURATION",
                   "shortest time of a loop, e.g. 500us (default 2.5ms; short-1: 1ms)",
                   o.request.shortest_loop, parse_positive_duration),
      nodes_option(o),
      value_option("rmax", "GFLOPS",
                   "Linpack R_max of these processes, for the balance b_eff / R_max", o.rmax_gflops,
                   parse_positive),
      flag_option("no-check", "do not check received data (then not valid)", o.unchecked),
  };
}

/// Sets what the definition has of its own. Throws UsageError where the user set it to another.
void follow_definition(Options& options) {
  const auto& rules = row(options.request.definition);
  const auto refuse = [&](std::string_view option, const std::string& value, std::string_view why) {
    throw UsageError(fmt::format("--{} {}: definition {} {}; leave one of the two out", option,
                                 value, rules.name, why));
  };
  options.time_limit = options.time_limit.value_or(rules.time_limit);
  options.request.shortest_loop = options.request.shortest_loop.value_or(rules.shortest_loop);
  if (options.rmax_gflops && !rules.is_published) {
    refuse("rmax", fmt::format("{}", *options.rmax_gflops), "gives no value for a balance");
  }
  if (rules.memory_per_process) {
    auto& memory = options.memory;
    if (const auto given = memory.per_process ? memory.per_process : memory.per_node) {
      refuse(memory.per_process ? "memory-per-process" : "memory-per-node", format_size(*given),
             "has an L_max of its own");
    }
    memory.per_process = rules.memory_per_process;
    memory.per_process_by = fmt::format("of definition {}", rules.name);
  }
}

}  // namespace

Options parse_options(int argc, char** argv) {
  Options options;
  options.output = "b_eff";
  options.fewest_processes = 2;
  const OptionTable table(
      kUsage, {task_options(options, "print what would be measured and how long it takes"),
               run_options(options, {.seed = "seed of the random rings (default: new in each run)",
                                     .time_limit = "end with a partial result after this time "
                                                   "(default 30min; short-1: 1min)"}),
               benchmark_options(options), display_options(options)});
  parse_common(table, options, argc, argv, [&] { follow_definition(options); });
  return options;
}

Plan planned(const Options& options, const Resources& resources) {
  check_nodes(options, resources);
  auto request = options.request;
  request.processes = resources.processes;
  request.memory_per_process = resources.memory.per_process;
  request.seed = options.seed;
  request.on_device = !options.buffers.is_host() && !options.unchecked;
  for (const Method method : request.methods) {
    if (const auto reason = why_unavailable(method)) {
      throw UsageError(fmt::format("--methods {}: {}", row(method).name, *reason));
    }
  }
  try {
    return make_plan(request);
  } catch (const PlanError& problem) {
    throw usage_error(problem);
  }
}

}  // namespace beff::b_eff
