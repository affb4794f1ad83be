#include "engines/pairs/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "core/record/json.hpp"
#include "engines/common/watch/fail.hpp"

namespace beff::pairs {
namespace {

constexpr Seconds kLeastTimeLimit = 1800;

constexpr const char* kUsage =
    "Usage: mpiexec -n N b_pairs [options]\n"
    "Lets each host exchange messages with each other, pair by pair, and writes PREFIX.json,\n"
    "PREFIX.txt and PREFIX.journal.jsonl; `beff nodes` starts it and says which host is slow.\n"
    "Example:\n"
    "  mpiexec -n 64 b_pairs --output results/b_pairs";

Rounds parse_rounds(const std::string& text) {
  if (text == "auto" || text == "all") {
    return {.kind = text == "all" ? Rounds::Kind::kAll : Rounds::Kind::kAuto};
  }
  try {
    return {.kind = Rounds::Kind::kGiven, .count = parse_count(text)};
  } catch (const std::invalid_argument&) {
    throw std::invalid_argument("must be auto, all or a number of rounds from 1");
  }
}

std::string rounds_text(const Rounds& rounds) {
  switch (rounds.kind) {
    case Rounds::Kind::kAll:
      return "all";
    case Rounds::Kind::kGiven:
      return fmt::format("{}", rounds.count);
    case Rounds::Kind::kAuto:
      break;
  }
  return "auto";
}

std::vector<Option> benchmark_options(Options& o) {
  return {
      {"duration", "DURATION", "pass after pass for this time, three at least (default 20s)",
       [&o](const std::string& text) { o.request.duration = parse_positive_duration(text); },
       [&o] { return Json(o.request.duration); }},
      {"rounds", "ROUNDS",
       "rounds of a pass: a number, all, or auto (default: until all have met, above 65 hosts at "
       "most 64)",
       [&o](const std::string& text) { o.request.rounds = parse_rounds(text); },
       [&o] { return Json(rounds_text(o.request.rounds)); }},
      choice_option("per-host", "processes of a host that take part (default all)",
                    o.request.per_host, {PerHost::kAll, PerHost::kOne}),
  };
}

}  // namespace

Options parse_options(int argc, char** argv) {
  constexpr Seconds kDefaultHangLimit = 60;
  Options options;
  options.output = "b_pairs";
  options.fewest_processes = 2;
  options.hang_limit = kDefaultHangLimit;
  const OptionTable table(
      kUsage, {task_options(options, "print what would be measured"),
               run_options(options, {.seed = "seed of the rounds (default: new in each run)",
                                     .time_limit = "end with a partial result after this time "
                                                   "(default 30min, or twice the duration)",
                                     .hang_limit = "name what does not answer within this time, "
                                                   "and end (default 1min)"}),
               benchmark_options(options), display_options(options)});
  parse_common(table, options, argc, argv, [&options] {
    // retests take up to half of the duration
    options.time_limit =
        options.time_limit.value_or(std::max(kLeastTimeLimit, 2 * options.request.duration));
  });
  return options;
}

Plan planned(const Options& options, const Resources& resources) {
  auto request = options.request;
  request.processes = resources.processes;
  request.hosts = resources.nodes.value_or(1);
  request.memory_per_process = resources.memory.per_process;
  request.seed = options.seed;
  try {
    return make_plan(request);
  } catch (const PlanError& problem) {
    throw usage_error(problem);
  }
}

}  // namespace beff::pairs
