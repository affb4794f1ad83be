#include "engines/pairs/mpi_machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "core/record/json.hpp"
#include "engines/common/host/host.hpp"
#include "engines/common/run/files.hpp"
#include "engines/common/watch/end.hpp"

namespace beff::pairs {
namespace {

constexpr Seconds kLeastTimeLimit = 1800;

constexpr const char* kUsage =
    "Usage: mpiexec -n N b_pairs [options]\n"
    "Lets each host exchange messages with each other, pair by pair, and writes PREFIX.json,\n"
    "PREFIX.txt and PREFIX.journal.jsonl; `beff nodes` starts it and says which host is slow.\n"
    "Examples:\n"
    "  mpiexec -n 64 b_pairs --output results/b_pairs\n"
    "  mpiexec -n 64 b_pairs --bisection --per-host 1,2,4,all";

std::optional<int> parse_rounds(const std::string& text) {
  if (text == "auto" || text == "all") {
    return text == "all" ? std::optional(PlanRequest::kAllRounds) : std::nullopt;
  }
  try {
    return parse_count(text);
  } catch (const std::invalid_argument&) {
    throw std::invalid_argument("must be auto, all or a number of rounds from 1");
  }
}

/// What is asked of the bisection; the option itself may come later.
class BisectionOptions {
 public:
  [[nodiscard]] std::vector<Option> table(Options& o) {
    return {
        {"bisection", "[=PROCESSES]",
         "measure what crosses halves of the hosts, step by step, by so many processes of each "
         "(default 1)",
         [this](const std::string& text) {
           requested_ = true;
           request_.processes = text.empty() ? 1 : parse_count(text);
         },
         [this] { return requested_ ? Json(request_.processes) : Json(nullptr); }},
        {"halves", "FILE",
         "hosts of the first half, one a line (default: by the switches that Slurm names, else the "
         "first "
         "half of them)",
         [this, &o](const std::string& text) { name_of_detail_ = "halves", o.halves = text; },
         [&o] { return o.halves.empty() ? Json(nullptr) : Json(o.halves); }},
        {"random-halves", "N", "further halves, drawn by the seed (default 8)",
         [this](const std::string& text) {
           constexpr std::uint64_t kMost = 1000;
           name_of_detail_ = "random-halves";
           request_.random_halves = static_cast<int>(parse_natural(text, kMost));
         },
         [this] { return requested_ ? Json(request_.random_halves) : Json(nullptr); }},
        {"bisection-time", "DURATION", "begin no step of the bisection later (default 10min)",
         [this](const std::string& text) {
           name_of_detail_ = "bisection-time";
           request_.time = parse_positive_duration(text);
         },
         [this] { return requested_ ? Json(request_.time) : Json(nullptr); }},
    };
  }

  /// Throws UsageError where details are given of what is not asked for.
  [[nodiscard]] std::optional<BisectionRequest> request() const {
    if (!requested_ && name_of_detail_ != nullptr) {
      throw UsageError(fmt::format("--{}: goes with --bisection", name_of_detail_));
    }
    return requested_ ? std::optional(request_) : std::nullopt;
  }

 private:
  bool requested_ = false;
  const char* name_of_detail_ = nullptr;
  BisectionRequest request_;
};

/// Numbers of processes, 0 for all.
std::vector<int> parse_per_host(const std::string& text) {
  std::vector<int> numbers;
  try {
    for (const auto& part : split_list(text)) {
      numbers.push_back(part == "all" ? 0 : parse_count(part));
    }
  } catch (const std::invalid_argument&) {
    numbers.clear();
  }
  if (numbers.empty()) {
    throw std::invalid_argument("must be a list of numbers such as 1,2,4,all");
  }
  return numbers;
}

Json per_host_json(const std::vector<int>& numbers) {
  const auto text = [](int number) { return number == 0 ? Json("all") : Json(number); };
  return numbers.empty() ? Json(nullptr) : json_list(numbers, text);
}

std::vector<Option> benchmark_options(Options& o) {
  return {
      value_option("duration", "DURATION",
                   "pass after pass for this time, three at least (default 20s)",
                   o.request.duration, parse_positive_duration),
      {"rounds", "ROUNDS",
       "rounds of a pass: a number, all, or auto (default: until all have met, above 65 hosts at "
       "most 64)",
       [&o](const std::string& text) { o.request.rounds = parse_rounds(text); },
       [&o] { return Json(rounds_text(o.request.rounds)); }},
      nodes_option(o),
      choice_option("map-per-host", "processes of a host that take part in the map (default all)",
                    o.request.map_per_host, {MapPerHost::kAll, MapPerHost::kOne}),
      {"per-host", "LIST",
       "measure what pairs of hosts reach by so many processes of each, such as 1,2,4,all",
       [&o](const std::string& text) { o.request.per_host = parse_per_host(text); },
       [&o] { return per_host_json(o.request.per_host); }},
      size_option("message-size",
                  "messages of --bisection and --per-host (default L_max, at most 16MiB)",
                  o.request.message_size),
  };
}

}  // namespace

Options parse_options(int argc, char** argv) {
  constexpr Seconds kDefaultHangLimit = 60;
  Options options;
  options.output = "b_pairs";
  options.fewest_processes = 2;
  options.hang_limit = kDefaultHangLimit;
  BisectionOptions bisection;
  const OptionTable table(
      kUsage, {task_options(options, "print what would be measured"),
               run_options(options, {.seed = "seed of the rounds (default: new in each run)",
                                     .time_limit = "end with a partial result after this time "
                                                   "(default 30min, or twice the duration; "
                                                   "with --bisection its time more)",
                                     .hang_limit = "name what does not answer within this time, "
                                                   "and end (default 1min)"}),
               benchmark_options(options), bisection.table(options), display_options(options)});
  parse_common(table, options, argc, argv, [&] {
    options.request.bisection = bisection.request();
    const Seconds crossing = options.request.bisection ? options.request.bisection->time : 0;
    // retests take up to half of the duration
    options.time_limit = options.time_limit.value_or(
        std::max(kLeastTimeLimit, 2 * options.request.duration) + crossing);
  });
  return options;
}

Plan planned(const Options& options, const Resources& resources, int fewest_per_host,
             const std::vector<int>& first_half) {
  check_nodes(options, resources);
  auto request = options.request;
  request.processes = resources.processes;
  request.hosts = resources.nodes.value_or(1);
  request.fewest_per_host = fewest_per_host;
  request.memory_per_process = resources.memory.per_process;
  request.seed = options.seed;
  if (request.bisection) {
    request.bisection->first_half = first_half;
    request.bisection->by_switches = options.halves.empty() && !first_half.empty();
  }
  try {
    return make_plan(request);
  } catch (const PlanError& problem) {
    throw usage_error(problem);
  }
}

std::vector<std::string> names_in(const std::string& file) {
  std::istringstream stream(
      text_of_option("halves", file, "name a file with a host or rank in each line"));
  std::vector<std::string> names;
  for (std::string line; std::getline(stream, line);) {
    if (auto name = trimmed(line.substr(0, line.find('#'))); !name.empty()) {
      names.push_back(std::move(name));
    }
  }
  if (names.empty()) {
    throw UsageError(fmt::format("--halves {}: the file names nobody; write one a line", file));
  }
  return names;
}

std::vector<int> units_in(const std::string& file, const std::vector<std::string>& names) {
  std::set<int> units;
  for (const auto& name : names_in(file)) {
    bool known = false;
    for (std::size_t unit = 0; unit < names.size(); ++unit) {
      if (names[unit] == name) {
        units.insert(static_cast<int>(unit));
        known = true;
      }
    }
    if (!known) {
      throw UsageError(fmt::format(
          "--halves {}: {} takes no part in this run; name hosts as the result does, such as {}",
          file, name, names.front()));
    }
  }
  return {units.begin(), units.end()};
}

}  // namespace beff::pairs
