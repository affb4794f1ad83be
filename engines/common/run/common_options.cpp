#include "engines/common/run/common_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/random_permutation.hpp"
#include "core/record/json.hpp"

namespace beff {
namespace {

std::string parse_prefix(const std::string& text) {
  if (text.empty() || text.back() == '/') {
    throw std::invalid_argument("must end in a file name without ending, such as results/b_eff");
  }
  return text;
}

}  // namespace

Option flag_option(const char* name, const char* help, bool& value) {
  return {name, "", help, [&value](const std::string&) { value = true; },
          [&value] { return Json(value); }};
}

Option choice_option(const char* name, const char* help, std::vector<std::string> names,
                     const std::function<void(std::size_t)>& choose,
                     const std::function<std::optional<std::string>()>& chosen) {
  auto argument = fmt::format("{}", fmt::join(names, "|"));
  return {name, std::move(argument), help,
          [names = std::move(names), choose](const std::string& text) {
            const auto found = std::ranges::find(names, text);
            if (found == names.end()) {
              throw std::invalid_argument(fmt::format("must be one of {}", fmt::join(names, ", ")));
            }
            choose(static_cast<std::size_t>(found - names.begin()));
          },
          [chosen] { return or_null(chosen()); }};
}

Option size_option(const char* name, const char* help, std::optional<Bytes>& value) {
  return {name, "SIZE", help,
          [&value](const std::string& text) { value = parse_positive_size(text); },
          [&value] { return or_null(value); }};
}

Option duration_option(const char* name, const char* help, std::optional<Seconds>& value) {
  return {name, "DURATION", help,
          [&value](const std::string& text) { value = parse_positive_duration(text); },
          [&value] { return or_null(value); }};
}

std::vector<Option> task_options(CommonOptions& o, const char* plan_help) {
  const auto task = [&o](Task asked) {
    return [&o, asked](const std::string&) { o.task = asked; };
  };
  return {{"help", "", "print this help", task(Task::kHelp), {}},
          {"version", "", "print version and commit", task(Task::kShowVersion), {}},
          {"plan",
           "[=json]",
           plan_help,
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
           {}}};
}

std::vector<Option> run_options(CommonOptions& o, const CommonHelp& help) {
  return {{"output", "PREFIX",
           fmt::format("write PREFIX.json, .txt, .journal.jsonl (default {})", o.output),
           [&o](const std::string& text) { o.output = parse_prefix(text); },
           [&o] { return Json(o.output); }},
          flag_option("overwrite", "replace the files of an earlier run", o.overwrite),
          size_option("memory-per-process", "memory of one process, e.g. 2GiB (default: looked up)",
                      o.memory.per_process),
          size_option("memory-per-node", "memory of one node, shared by its processes",
                      o.memory.per_node),
          {"seed", "N", help.seed,
           [&o](const std::string& text) { o.seed = parse_natural(text, kLargestSeed); },
           [&o] { return or_null(o.seed); }},
          duration_option("time-limit", help.time_limit, o.time_limit),
          duration_option("hang-limit", help.hang_limit, o.hang_limit)};
}

std::vector<Option> display_options(CommonOptions& o) {
  auto progress = choice_option(
      "progress",
      "progress on standard error: bar on a terminal and lines elsewhere, bar always, or none",
      o.progress, {ProgressMode::kAuto, ProgressMode::kAlways, ProgressMode::kNever});
  auto quiet = flag_option("quiet", "print only the last lines", o.quiet);
  progress.effective = quiet.effective = {};  // of no result
  return {std::move(progress), std::move(quiet)};
}

void set_seed(CommonOptions& options, std::uint64_t seed) {
  options.seed = seed;
  Json effective = *options.effective;
  effective["seed"] = seed;
  options.effective = std::make_shared<const Json>(std::move(effective));
}

UsageError usage_error(const PlanError& problem) {
  return UsageError(fmt::format("--{} {}", problem.option(), problem.what()));
}

void parse_common(const OptionTable& table, CommonOptions& options, int argc, char** argv,
                  const std::function<void()>& complete) {
  table.parse(argc, argv);
  complete();
  if (options.memory.per_process && options.memory.per_node) {
    throw UsageError("--memory-per-process and --memory-per-node exclude each other; give one");
  }
  if (options.processes && options.task != Task::kPlan) {
    throw UsageError(
        fmt::format("--processes {}: only --plan takes it; start the processes by mpiexec -n {}",
                    *options.processes, *options.processes));
  }
  options.effective = std::make_shared<const Json>(table.effective());
  options.help = table.help();
}

}  // namespace beff
