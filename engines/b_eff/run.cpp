#include "engines/b_eff/run.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <new>
#include <random>
#include <stdexcept>
#include <utility>

#include "core/b_eff/protocol.hpp"
#include "core/b_eff/validity.hpp"
#include "core/record/json.hpp"
#include "engines/b_eff/benchmark.hpp"
#include "engines/b_eff/message_buffers.hpp"
#include "engines/b_eff/transfer.hpp"
#include "engines/common/agree.hpp"
#include "engines/common/clock.hpp"
#include "engines/common/fail.hpp"
#include "engines/common/hardware.hpp"
#include "engines/common/journal.hpp"
#include "engines/common/output_files.hpp"
#include "engines/common/stop_signal.hpp"

namespace beff::b_eff {
namespace {

/// Refuses launches that would not measure what was meant.
void check_launch(const MpiSession& session, const Nodes& nodes, const Options& options,
                  const LaunchHints& hints) {
  if (session.size() == 1 && hints.size && *hints.size > 1) {
    throw UsageError(fmt::format(
        "{} is {}, but MPI sees a single process: the launcher and the MPI library of this program "
        "do not belong together, so the processes run apart; use the launcher of this MPI library",
        hints.size_variable, *hints.size));
  }
  if (session.size() == 1) {
    throw UsageError(
        "one process has nobody to communicate with; start at least two, for example mpiexec -n 2 "
        "b_eff");
  }
  if (options.nodes && *options.nodes != nodes.count()) {
    throw UsageError(
        fmt::format("--nodes {}: the {} processes run on {}; correct the launch or the option",
                    *options.nodes, session.size(), counted(nodes.count(), "node")));
  }
}

std::vector<std::string> launch_cautions(const Nodes& nodes, const LaunchHints& hints) {
  if (hints.nodes && *hints.nodes != nodes.count()) {
    return {fmt::format("the processes run on {}, although {} is {}",
                        counted(nodes.count(), "node"), hints.nodes_variable, *hints.nodes)};
  }
  return {};
}

Plan plan_or_usage_error(const Options& options, int processes, Bytes memory_per_process) {
  for (const Method method : options.methods) {
    if (const auto reason = why_unavailable(method)) {
      throw UsageError(fmt::format("--methods {}: {}", row(method).name, *reason));
    }
  }
  try {
    return make_plan(plan_request(options, processes, memory_per_process));
  } catch (const std::invalid_argument& problem) {
    const auto memory =
        options.memory.per_process || options.memory.per_node
            ? fmt::format("{} of memory per process ", format_size(memory_per_process))
            : std::string();
    throw UsageError(memory + problem.what());
  }
}

std::uint64_t new_seed() {
  std::random_device device;
  return device();
}

/// What the journal and the progress display of rank 0 need while the benchmark runs.
class RunRecorder {
 public:
  RunRecorder(const Plan& plan, const Options& options, const Json& empty_result)
      : plan_(&plan),
        journal_(std::make_unique<Journal>(OutputFiles(options.output).journal())),
        progress_(options.quiet ? ProgressMode::kNever : options.progress, planned_loops(plan),
                  watch_time()) {
    append({{"journal", 1},
            {"benchmark", "b_eff"},
            {"loops", planned_loops(plan)},
            {"result", empty_result}});
  }

  [[nodiscard]] BenchmarkHooks hooks() {
    return {.recorded = [this](const Sample& sample) { append({{"sample", to_json(sample)}}); },
            .repetition_ended = [this](std::span<const Sample> samples) { note_value(samples); },
            .progress =
                [this](std::int64_t done, std::string_view pattern) {
                  progress_.update(done, fmt::format("{}{}", pattern, so_far_), watch_time());
                }};
  }

  void finish(bool complete) {
    append({{"end", complete ? "complete" : "stopped"}});
    progress_.finish();
  }

 private:
  /// The value of the repetitions so far, for the display and for who follows the journal.
  void note_value(std::span<const Sample> samples) {
    const int repetitions = samples.back().repetition + 1;
    const auto value = condense(*plan_, samples, counts_officially(*plan_)).b_eff.both;
    append({{"notes", {{"repetitions", repetitions}, {"b_eff_MBps", or_null(value)}}}});
    if (value) {
      so_far_ = fmt::format("; b_eff so far {:.3f} MB/s, {} of {} repetitions", *value, repetitions,
                            plan_->repetitions);
    }
  }

  /// A journal that cannot be written must not cost the measurement: say so once and go on.
  void append(const Json& record) {
    if (!journal_) {
      return;
    }
    try {
      journal_->append(record);
    } catch (const RunError& error) {
      fmt::print(stderr, "b_eff: {}; measuring goes on without it\n", error.what());
      journal_.reset();
    }
  }

  const Plan* plan_;
  std::unique_ptr<Journal> journal_;
  Progress progress_;
  std::string so_far_;
};

Measurement run_with_buffers(const Plan& plan, const Options& options,
                             const BenchmarkHooks& hooks) {
  try {
    return run_benchmark(plan, {.time_limit = options.time_limit, .check_data = options.check_data},
                         hooks);
  } catch (const std::bad_alloc&) {
    abort_job(
        fmt::format("two message buffers of {} cannot be had; give less with --memory-per-process",
                    format_size(MessageBuffers::bytes_for(plan.lmax()))));
  }
}

void write_outputs(const OutputFiles& files, const Plan& plan, const Result& result, bool quiet) {
  if (!quiet) {
    fmt::print("{}\n", summary_text(plan, result));
  }
  fmt::print("{}\n", last_line(plan, result));
  std::fflush(stdout);
  write_atomically(files.result(), to_json(plan, result).dump(1) + "\n");
  write_atomically(files.protocol(), protocol_text(plan, result));
}

Json plan_json(const Plan& plan, const Options& options, const RunContext& context) {
  Json document = {{"schema_version", kSchemaVersion},
                   {"benchmark", "b_eff"},
                   {"definition", to_string(plan.definition)},
                   {"program", to_json(context.program)},
                   {"processes", plan.processes},
                   {"memory_per_process_bytes", plan.memory_per_process},
                   {"repetitions", plan.repetitions},
                   {"loops", planned_loops(plan)},
                   {"expected_s", expected_time(plan)},
                   {"time_limit_s", or_null(options.time_limit)}};
  document.update(plan_fields(plan));
  return document;
}

void print_plan(const Plan& plan, const std::string& memory_source, const Options& options,
                const RunContext& context) {
  if (options.plan_as_json) {
    fmt::print("{}\n", plan_json(plan, options, context).dump(1));
  } else {
    fmt::print("{}", plan_text(plan, memory_source, options.time_limit));
  }
}

}  // namespace

int measure(const MpiSession& session, Options options, const RunContext& context) {
  catch_stop_signals();
  const OutputFiles files(options.output);
  const Nodes nodes;
  check_launch(session, nodes, options, context.hints);
  check_on_rank_0([&] { files.check(options.overwrite); });

  const double started = MPI_Wtime();
  auto environment = gather_environment(session, nodes, options.memory, context.command_line);
  set_seed(options,
           from_rank_0(static_cast<unsigned long long>(options.seed.value_or(new_seed()))));
  const Plan plan = plan_or_usage_error(options, session.size(), environment.memory.per_process);

  std::unique_ptr<RunRecorder> recorder;
  check_on_rank_0([&] {
    const auto empty = make_result(plan, context.program, environment, options.effective,
                                   options.rmax_gflops, Measurement{});
    recorder = std::make_unique<RunRecorder>(plan, options, to_json(plan, empty));
  });
  auto measurement =
      run_with_buffers(plan, options, recorder ? recorder->hooks() : BenchmarkHooks{});

  int code = kExitValid;
  check_on_rank_0([&] {
    recorder->finish(measurement.complete);
    environment.finished_at = utc_now();
    environment.wall = MPI_Wtime() - started;
    auto result = make_result(plan, context.program, std::move(environment), options.effective,
                              options.rmax_gflops, std::move(measurement));
    for (auto& caution : launch_cautions(nodes, context.hints)) {
      result.cautions.push_back(std::move(caution));
    }
    code = result.valid() ? kExitValid : kExitNotValid;
    write_outputs(files, plan, result, options.quiet);
  });
  return from_rank_0(code);
}

int probe(const MpiSession& session, const Options& options, const RunContext& context) {
  const Nodes nodes;
  const auto environment = gather_environment(session, nodes, options.memory, context.command_line);
  const auto found = std::max(2, session.size());
  const Plan plan = plan_or_usage_error(options, found, environment.memory.per_process);
  if (session.rank() != 0) {
    return kExitValid;
  }
  Measurement nothing_wrong;
  nothing_wrong.complete = true;
  Json reasons = Json::array();
  if (session.size() < 2) {
    reasons.push_back("one process has nobody to communicate with; start at least two");
  }
  for (const auto& criterion : validity_criteria(plan, environment, nothing_wrong)) {
    if (!criterion.met) {
      reasons.push_back(fmt::format("{}: required {}, found {}", criterion.name,
                                    criterion.required(), criterion.found()));
    }
  }
  auto notes = cautions(plan, environment, nothing_wrong);
  for (auto& caution : launch_cautions(nodes, context.hints)) {
    notes.push_back(std::move(caution));
  }
  const Json document = {{"program", to_json(context.program)},
                         {"environment", to_json(environment)},
                         {"lmax_bytes", plan.lmax()},
                         {"cautions", notes},
                         {"would_not_be_valid", reasons}};
  fmt::print("{}\n", document.dump(1));
  return kExitValid;
}

int plan_for_job(const MpiSession& session, const Options& options, const RunContext& context) {
  const Nodes nodes;
  check_launch(session, nodes, options, context.hints);
  const auto environment = gather_environment(session, nodes, options.memory, context.command_line);
  const Plan plan = plan_or_usage_error(options, session.size(), environment.memory.per_process);
  if (session.rank() == 0) {
    print_plan(plan, environment.memory.source, options, context);
  }
  return kExitValid;
}

int plan_for_processes(const Options& options, const RunContext& context) {
  const int processes = options.processes.value_or(0);
  if (processes < 2) {
    throw UsageError("--processes 1: one process has nobody to communicate with; give at least 2");
  }
  const auto hardware = look_at_hardware();
  const auto limit = usable_memory(hardware.memory);
  Bytes memory = limit.bytes / std::max(1, hardware.cpu.cores);
  std::string source = "this node's share per core";
  if (options.memory.per_process) {
    memory = *options.memory.per_process;
    source = "given by --memory-per-process";
  } else if (options.memory.per_node) {
    memory = *options.memory.per_node / std::max(1, hardware.cpu.cores);
    source = "--memory-per-node shared by one process per core of this node";
  }
  print_plan(plan_or_usage_error(options, processes, memory), source, options, context);
  return kExitValid;
}

}  // namespace beff::b_eff
