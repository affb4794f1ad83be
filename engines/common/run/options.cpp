#include "engines/common/run/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <getopt.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "core/random_permutation.hpp"
#include "core/record/json.hpp"
#include "engines/common/watch/end.hpp"

namespace beff {
namespace {

bool argument_is_optional(const Option& option) { return option.argument.starts_with('['); }

int argument_kind(const Option& option) {
  if (option.argument.empty()) {
    return no_argument;
  }
  return argument_is_optional(option) ? optional_argument : required_argument;
}

std::vector<::option> getopt_table(const std::vector<Option>& options) {
  std::vector<::option> table;
  for (std::size_t i = 0; i < options.size(); ++i) {
    table.push_back({.name = options[i].name.c_str(),
                     .has_arg = argument_kind(options[i]),
                     .flag = nullptr,
                     .val = static_cast<int>(i)});
  }
  table.push_back({});
  return table;
}

/// The name under which a value is recorded: with its unit, as everywhere in a result.
std::string recorded_name(const Option& option) {
  auto name = option.name;
  std::ranges::replace(name, '-', '_');
  if (option.argument == "SIZE") {
    return name + "_bytes";
  }
  if (option.argument == "DURATION") {
    return name + "_s";
  }
  return option.argument == "GFLOPS" ? name + "_gflops" : name;
}

std::string written(const Option& option) {
  if (option.argument.empty()) {
    return "--" + option.name;
  }
  return "--" + option.name + (argument_is_optional(option) ? "" : " ") + option.argument;
}

std::string parse_file(const std::string& text) {
  if (text.empty()) {
    throw std::invalid_argument("must be local or a file");
  }
  return text;
}

std::string parse_prefix(const std::string& text) {
  if (text.empty() || text.back() == '/') {
    throw std::invalid_argument("must end in a file name without ending, such as results/b_eff");
  }
  return text;
}

}  // namespace

OptionTable::OptionTable(std::string usage, const std::vector<std::vector<Option>>& groups)
    : usage_(std::move(usage)) {
  for (const auto& group : groups) {
    options_.insert(options_.end(), group.begin(), group.end());
  }
}

void OptionTable::parse(int argc, char** argv) const {
  const auto table = getopt_table(options_);
  opterr = 0;
  optind = 1;
  for (;;) {
    const int at = optind;
    const int index = getopt_long(argc, argv, "+:", table.data(), nullptr);
    if (index == -1) {
      break;
    }
    if (index == ':') {
      throw UsageError(fmt::format("{} needs a value; --help explains it", argv[at]));
    }
    if (index == '?') {
      throw UsageError(
          fmt::format("{} is not an option of this program; --help lists them", argv[at]));
    }
    const auto& option = options_.at(static_cast<std::size_t>(index));
    const std::string value = optarg == nullptr ? "" : optarg;
    try {
      option.read(value);
    } catch (const std::invalid_argument& problem) {
      throw UsageError(fmt::format("--{} {}: {}", option.name, value, problem.what()));
    }
  }
  if (optind < argc) {
    throw UsageError(fmt::format("'{}' is not an option; --help lists them", argv[optind]));
  }
}

std::string OptionTable::help() const {
  std::size_t width = 0;
  for (const auto& option : options_) {
    width = std::max(width, written(option).size());
  }
  std::string text = usage_ + "\n\nOptions:\n";
  for (const auto& option : options_) {
    text += fmt::format("  {:<{}}  {}\n", written(option), width, option.help);
  }
  return text;
}

Json OptionTable::effective() const {
  Json values = Json::object();
  for (const auto& option : options_) {
    if (option.effective) {
      values[recorded_name(option)] = option.effective();
    }
  }
  return values;
}

std::uint64_t parse_natural(const std::string& text, std::uint64_t largest) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value > largest) {
    throw std::invalid_argument(fmt::format("must be a whole number from 0 to {}", largest));
  }
  return value;
}

int parse_count(const std::string& text) {
  constexpr std::uint64_t kLargest = 1'000'000'000;
  const auto value = parse_natural(text, kLargest);
  if (value == 0) {
    throw std::invalid_argument("must be at least 1");
  }
  return static_cast<int>(value);
}

double parse_positive(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !(value > 0) ||
      !std::isfinite(value)) {
    throw std::invalid_argument("must be a positive number");
  }
  return value;
}

Bytes parse_positive_size(const std::string& text) {
  const Bytes bytes = parse_size(text);
  if (bytes == 0) {
    throw std::invalid_argument("must be more than 0 byte, for example 512MiB");
  }
  return bytes;
}

Seconds parse_positive_duration(const std::string& text) {
  const Seconds seconds = parse_duration(text);
  if (!(seconds > 0)) {
    throw std::invalid_argument("must be more than 0 s, for example 90s or 15min");
  }
  return seconds;
}

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) {
    parts.push_back(part);
  }
  return parts;
}

std::vector<int> parse_number_list(const std::string& text, int largest) {
  std::set<int> numbers;
  const auto bound = static_cast<std::uint64_t>(largest);
  for (const auto& part : split_list(text)) {
    const auto dash = part.find('-');
    const auto first = static_cast<int>(parse_natural(part.substr(0, dash), bound));
    const auto last = dash == std::string::npos
                          ? first
                          : static_cast<int>(parse_natural(part.substr(dash + 1), bound));
    if (last < first) {
      throw std::invalid_argument(fmt::format("has the range {} that runs backwards", part));
    }
    for (int number = first; number <= last; ++number) {
      numbers.insert(number);
    }
  }
  if (numbers.empty()) {
    throw std::invalid_argument("must be a list such as 0-5,36");
  }
  return {numbers.begin(), numbers.end()};
}

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
            const auto entry = std::ranges::find(names, text);
            if (entry == names.end()) {
              throw std::invalid_argument(fmt::format("must be one of {}", fmt::join(names, ", ")));
            }
            choose(static_cast<std::size_t>(entry - names.begin()));
          },
          [chosen] { return or_null(chosen()); }};
}

Option size_option(const char* name, const char* help, std::optional<Bytes>& value) {
  return value_option(name, "SIZE", help, value, parse_positive_size);
}

std::vector<Option> task_options(CommonOptions& o, const char* plan_help) {
  const auto task = [&o](Task choice) {
    return [&o, choice](const std::string&) { o.task = choice; };
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

Option nodes_option(CommonOptions& o) {
  return value_option("nodes", "N", "refuse to measure unless the processes run on N nodes",
                      o.nodes, parse_count);
}

std::vector<Option> run_options(CommonOptions& o, const CommonHelp& help) {
  static_assert(kMemoryKinds.size() == 3, "--memory offers each kind");
  const auto output = fmt::format("write PREFIX.json, .txt, .journal.jsonl (default {})", o.output);
  return {
      value_option("output", "PREFIX", output.c_str(), o.output, parse_prefix),
      flag_option("overwrite", "replace the files of an earlier run", o.overwrite),
      size_option("memory-per-process", "memory of one process, e.g. 2GiB (default: looked up)",
                  o.memory.per_process),
      size_option("memory-per-node", "memory of one node, shared by its processes",
                  o.memory.per_node),
      choice_option(
          "memory", "where buffers lie; auto: on a device if MPI takes that (default host)",
          o.buffers.kind, {MemoryKind::kHost, MemoryKind::kCuda, MemoryKind::kHip}, "auto"),
      value_option("device", "local|FILE",
                   "device of each process by its number on its host: near ones in turn, or as the "
                   "lines of FILE say (default local)",
                   o.buffers.devices, parse_file),
      flag_option("memory-unsafe",
                  "give MPI buffers of a device though it does not say that it takes them",
                  o.buffers.unsafe),
      value_option("seed", "N", help.seed, o.seed,
                   [](const std::string& text) { return parse_natural(text, kLargestSeed); }),
      value_option("time-limit", "DURATION", help.time_limit, o.time_limit,
                   parse_positive_duration),
      value_option("hang-limit", "DURATION", help.hang_limit, o.hang_limit,
                   parse_positive_duration)};
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
  if (options.buffers.is_host() && (options.buffers.unsafe || options.buffers.devices != "local")) {
    throw UsageError(fmt::format(
        "{}: is for buffers on a device; give --memory as well, for example --memory cuda",
        options.buffers.unsafe ? "--memory-unsafe" : "--device " + options.buffers.devices));
  }
  options.effective = std::make_shared<const Json>(table.effective());
  options.help = table.help();
}

}  // namespace beff
