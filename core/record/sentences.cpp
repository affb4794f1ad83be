#include "core/record/result.hpp"

#include <fmt/args.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

namespace beff {
namespace {

struct CriterionWords {
  std::string_view code;
  std::string_view required;
  std::string_view found;
};

constexpr auto kCriteria = std::to_array<CriterionWords>({
    {"complete", "{n} loops (every planned loop measured)", "{n} loops"},
    {"passes", "at least {n} passes (every pass and retest ended)", "{n} passes"},
    {"patterns", "{n}", "{n}"},
    {"message sizes", "{n}", "{n}"},
    {"methods", "{n} (sendrecv, alltoallv, nonblocking)", "{n}"},
    {"repetitions", "{n}", "{n}"},
    {"loop time", "{n}", "{n}"},
    {"data", "{n} wrong (compared with what was sent or written)", "wrong: {n}"},
    {"scheduled time", "at least {n}", "{n}"},
    {"shared file pointers", "used for type 1", "{use}"},
    {"no error", "{n} failed patterns or files", "{n} failed patterns or files"},
    {"read from the file system",
     "at least {n} read from beyond the page caches; where that is not known or a cache is given, "
     "moved in each access method",
     "{n}"},
    {"measured in full", "{n} patterns (every pattern of the plan, none cut short)",
     "{n} patterns"},
    {"schedule",
     "{n} official types (0 to 4, rewrite as in the release, no bound of data or segments)",
     "{n} official types"},
    {"build", "optimised, no sanitizers", "{build}"},
    {"machine", "a real one, not simulated", "{machine}"},
    {"device buffers confirmed",
     "memory, driver and MPI library that were seen to work, and devices that the system shows",
     "{met}"},
    {"a device for each process", "{n} process on each device", "{n} on one"},
});

struct StatementWords {
  std::string_view code;
  std::string_view sentence;
};

constexpr auto kStatements = std::to_array<StatementWords>({
    {"stopped", "the run was stopped early: {by}"},
    {"stopped between repetitions",
     "the run was stopped early: {by}; of {planned} repetitions each pattern has at least "
     "{fewest}"},
    {"random order 3.6",
     "the random rings are drawn as in release 3.6, where ranks that follow each other stay "
     "neighbours more often than by chance"},
    {"wrong data", "wrong data: {first}"},
    {"method not measured", "{method} is not measured: {why}"},
    {"oversubscribed",
     "oversubscribed: some node runs more processes than it has usable cores ({cores}); waiting "
     "processes take turns on a core, so short times are those of the scheduler"},
    {"cpu quota", "a cgroup allows {cpus} CPUs of time"},
    {"shared cores",
     "processes share cores: more of them than cores are bound to the same cores (sets of them: "
     "{sets}); hardware threads of one core count once"},
    {"shared kernel",
     "{hosts} share a kernel with others, as containers do: their cores and memory "
     "are counted once, and messages between them may not leave the machine"},
    {"memory of hosts chosen", "--memory auto: buffers are in the memory of hosts: {why}"},
    {"shared device",
     "{processes} processes share device {device}: they take turns on it, so short times are those "
     "of its time slices"},
    {"device buffers not seen",
     "buffers in {memory} memory, driver {driver}, were not seen on this library: "
     "{library}"},
    {"unexplained time",
     "the loops and the harness's own work explain only {explained_percent} of the elapsed "
     "{elapsed_s}; the rest went into barriers and waiting, so the processors were not dedicated "
     "to this run or the loops were very short"},
    {"long loops at a jump",
     "{long} of {loops} loops took more than twice the time they were planned for, most where the "
     "speed jumps in all repetitions: at {sizes} byte"},
    {"scattered long loops",
     "{long} of {loops} loops took more than twice the time they were planned for, now and then, "
     "so others had the cores: at {sizes} byte"},
    {"unbound processes",
     "{unbound} of {processes} processes are not bound to a core, so the system may move them "
     "while they measure"},
    {"unused RDMA", "{sent_bytes} left by {by} although {unused} is active, on {hosts}"},
    {"bounded L_max", "L_max is bounded to 128 MiB (memory per process / 128 would be larger)"},
    {"other nodes", "nodes that the processes run on: {nodes}, although {variable} is {expected}"},
    {"heterogeneous job",
     "the processes run in one of the {components} components of a heterogeneous job "
     "(SLURM_HET_SIZE); srun --het-group starts them in others, too"},
    {"failed pattern",
     "pattern {pattern} failed in the {access} of {processes} processes: {error}"},
    {"failed file",
     "the file of type {type} failed in the {access} of {processes} processes: {error}"},
    {"more failures", "{count} more patterns or files failed"},
    {"read from the file system",
     "The read bandwidth is that of the file system: reads came from it, not from page cache "
     "({disk_percent})."},
    {"read from memory",
     "The read bandwidth is that of memory, not of a disk: {cached_percent} of the data came from "
     "the nodes' page caches."},
    {"read from both",
     "The read bandwidth is a mixture of memory and file system: {cached_percent} of the data came "
     "from the nodes' page caches."},
    {"files in memory", "All bandwidths are those of memory: the file system lies in memory."},
    {"caches not counted",
     "Whether the read bandwidth is that of a disk or of memory is not known: the file system has "
     "caches in the nodes that are not counted."},
    {"origin not reported",
     "Whether the read bandwidth is that of a disk or of memory is not known: this system reports "
     "neither what was in the page caches nor what was read from disk."},
    {"stopped by space",
     "stopped by space, to leave the file system its reserve: patterns {patterns}"},
    {"stopped by the bound of data", "stopped by the bound of written data: patterns {patterns}"},
    {"less than memory",
     "the initial write moved less than the memory of the system: {written_percent} of it"},
    {"cut segments",
     "types 3 and 4 of {processes} processes repeat only {repeated_percent} of what types 0-2 ask "
     "for, bounded by {by}"},
    {"costly decisions",
     "agreeing on when to stop took up to {loops_percent} of the loops' time with {processes} "
     "processes"},
    {"no shared pointers",
     "type 1 used individual file pointers: this MPI library's shared ones cannot be used here"},
    {"individual pointers", "type 1 used individual file pointers, as asked for"},
    {"shifted reader", "each process read what a process of another node had written"},
    {"bounded M_PART",
     "M_PART is bounded to {m_part_bytes} (memory of a process / 128 would be larger)"},
    {"file left", "could not be removed: {file}"},
    {"short bisection",
     "the bisection ended after its time with {steps} of {planned} steps; the least of all may be "
     "lower; give it more by --bisection-time"},
});

/// Throws std::out_of_range for a code without words.
template <class Rows>
const auto& row_of(const Rows& rows, std::string_view code) {
  const auto found = std::ranges::find(rows, code, &Rows::value_type::code);
  return found != rows.end() ? *found : throw std::out_of_range(std::string(code));
}

using Arguments = fmt::dynamic_format_arg_store<fmt::format_context>;

std::string number_text(const std::optional<double>& value, Unit unit) {
  if (!value) {
    return "not known";
  }
  switch (unit) {
    case Unit::kSeconds:
      return format_duration(*value);
    case Unit::kBytes:
      return format_size(static_cast<Bytes>(*value));
    case Unit::kPercent:
      return fmt::format("{:.3g} %", *value);
    case Unit::kCount:
      break;
  }
  return fmt::format("{:.0f}", *value);
}

/// By the unit at the end of its name.
struct FactText {
  std::string_view name;

  std::string operator()(double number) const {
    return name.ends_with("_s")         ? format_duration(number)
           : name.ends_with("_percent") ? fmt::format("{:.3g} %", number)
                                        : fmt::format("{:.3g}", number);
  }
  std::string operator()(std::int64_t number) const {
    return name.ends_with("_bytes") ? format_size(number) : fmt::format("{}", number);
  }
  std::string operator()(const std::string& text) const { return text; }
  std::string operator()(const std::vector<std::int64_t>& numbers) const {
    return fmt::format("{}", fmt::join(numbers, ", "));
  }
};

}  // namespace

std::string required_text(const Criterion& criterion) {
  return fmt::format(fmt::runtime(row_of(kCriteria, criterion.code).required),
                     fmt::arg("n", number_text(criterion.required, criterion.unit)));
}

std::string found_text(const Criterion& criterion, const Environment& environment) {
  return fmt::format(fmt::runtime(row_of(kCriteria, criterion.code).found),
                     fmt::arg("n", number_text(criterion.found, criterion.unit)),
                     fmt::arg("build", environment.build_type),
                     fmt::arg("machine", environment.simulated ? "simulated" : "real"),
                     fmt::arg("use", criterion.met ? "used" : "not used"),
                     fmt::arg("met", criterion.met ? "yes" : "no"));
}

std::string sentence(const Statement& statement) {
  Arguments facts;
  for (const auto& [name, fact] : statement.facts) {
    facts.push_back(fmt::arg(std::string(name).c_str(), std::visit(FactText{name}, fact)));
  }
  return fmt::vformat(row_of(kStatements, statement.code).sentence, facts);
}

std::string doubts_text(const ResultHead& head, std::string_view stamp) {
  std::string text;
  for (const auto& caution : head.cautions) {
    text += fmt::format("CAUTION: {}\n", sentence(caution));
  }
  for (const auto& criterion : head.criteria) {
    if (!criterion.met) {
      text += fmt::format("{}, {}: required {}, found {}\n", stamp, criterion.code,
                          required_text(criterion), found_text(criterion, head.environment));
    }
  }
  return text;
}

}  // namespace beff
