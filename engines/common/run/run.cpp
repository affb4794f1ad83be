#include "engines/common/run/run.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <random>
#include <string_view>
#include <utility>

#include "core/random_permutation.hpp"
#include "core/record/columns.hpp"
#include "core/record/json.hpp"
#include "engines/common/host/host.hpp"
#include "engines/common/mpi/agree.hpp"
#include "engines/common/mpi/clock.hpp"
#include "engines/common/run/files.hpp"
#include "engines/common/run/program.hpp"
#include "engines/common/watch/end.hpp"

namespace beff {
namespace {

/// Throws UsageError on all ranks where they have not the same plan. Collective.
void check_same_plan(const Json& plan) {
  Digest digest;
  digest.add(json_text(plan));
  check_same({{"plan", digest.hex()}});
}

void print(const std::string& text, const std::string& where_result_is) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    throw RunError(fmt::format("standard output cannot be written: {}; the result is in {}",
                               std::strerror(errno), where_result_is));
  }
}

}  // namespace

std::uint64_t drawn_number(std::uint64_t largest) {
  std::random_device device;
  std::uniform_int_distribution<std::uint64_t> numbers(0, largest);
  return from_rank_0(numbers(device));
}

int Run::carry_out() {
  check_processes(*options_, *context_, session_->size(), /*started=*/true);
  start();
  watchdog_->on_hang(left(), [this](const std::string& why) { return give_up(why); });
  try {
    get_ready();
    watchdog_->on_hang(left(), [this](const std::string& why) { return give_up(why); });
    measure_and_agree();
  } catch (...) {
    watchdog_->on_hang(left());
    throw;
  }
  return end();
}

std::string Run::left() const {
  return measures_ ? fmt::format("what was measured is in {0}; 'beff show {0}' shows it",
                                 files_.journal().string())
                   : std::string("nothing was measured");
}

void Run::get_ready() {
  const auto plan = make_plan();
  watchdog_->enter("set-up: comparing the plans");
  check_same_plan(plan);
  open_journal();
  watchdog_->enter("set-up: making buffers and communicators");
  try {
    make_machine();
  } catch (const OutOfDeviceMemory& problem) {
    watchdog_->abort(fmt::format("{}: {}", no_memory(), problem.what()));
  } catch (const std::bad_alloc&) {
    watchdog_->abort(no_memory());
  }
  measures_ = true;
  try_out();
}

/// MPI says which of its parts are there, not that messages get through: it may end a process where
/// they do not. Then the line on standard error and the last of the journal say what was tried.
void Run::try_out() {
  if (kSimulated) {
    return;
  }
  const auto& buffers = environment_.buffers;
  const bool on_device = buffers && !buffers->files_through_host;
  const auto of_library =
      on_device ? fmt::format("{}, which {}", mpi_library_text(),
                              buffers->mpi_said.empty()
                                  ? "does not say that it takes them"
                                  : fmt::format("says by {} that it takes them", buffers->mpi_said))
                : std::string();
  if (on_device && recorder_) {
    say(fmt::format(
        "trying messages in device memory: {}; where a process dies now, it does not: {}",
        of_library, way_to_support(buffers->kind)));
  }
  const auto why = try_messages(on_device, [&](std::string_view what) {
    if (recorder_) {
      recorder_->append({{"trial", {{"messages", what}}}});
    }
  });
  if (!why.empty()) {
    throw RunError(on_device ? fmt::format("--memory {}: messages do not get through by {}; {}; {}",
                                           to_string(buffers->kind), why, of_library,
                                           way_to_support(buffers->kind))
                             : why);
  }
}

void Run::measure_and_agree() {
  const WireWatch wires(nodes_);
  const LoadWatch loads(nodes_);
  const Stop stop = go_through_plan();
  note_counters(wires, loads);
  agree();
  watchdog_->on_hang(left());
  describe(/*hangs=*/false);
  if (!record().complete && stop != Stop::kNo) {
    record().stopped_by = why_stopped(stop == Stop::kSignal, options_->time_limit);
  }
}

void Run::start() {
  watchdog_->wait_for_rank_0("set-up: checking the output files");
  check_on_rank_0([&] {
    files_.check_folder();
    try {
      watchdog_->claim();
    } catch (const FileError& problem) {
      throw UsageError(fmt::format("--output {}: {}", options_->output, problem.what()));
    }
    files_.check_files(options_->overwrite);
  });
  if (!kSimulated) {
    watchdog_->belong_to(from_rank_0(watchdog_->run()));
  }
  started_ = run_time();
  watch_ = watch_time();
  day_ = time_of_day();
  chosen_ = choose_memory(options_->buffers, nodes_, *watchdog_);
  if (chosen_.buffers) {
    watchdog_->enter("set-up: copying the memory of devices");
    chosen_.buffers->roofs = measure_roofs(*chosen_.memory);
  }
  environment_ = gather_environment(*session_, *watchdog_, nodes_, options_->memory, chosen_,
                                    context_->command_line);
  watchdog_->enter("set-up: agreeing on the seed");
  set_seed(*options_, options_->seed.value_or(drawn_number(kLargestSeed)));
}

ResultHead Run::head(bool ended) const {
  ResultHead head{.program = context_->program,
                  .environment = environment_,
                  .options = options_->effective,
                  .time_limit = options_->time_limit};
  if (ended) {
    // the time of day may have been set under way
    head.environment.finished_at = utc_text(day_ + (watch_time() - watch_));
    head.environment.wall = run_time() - started_;
  }
  return head;
}

void Run::open_journal() {
  watchdog_->wait_for_rank_0("set-up: opening the journal");
  check_on_rank_0([&] {
    recorder_ =
        std::make_unique<Recorder>(files_.journal(), context_->program.name, extent(),
                                   options_->quiet ? ProgressMode::kNever : options_->progress,
                                   report(head(/*ended=*/false)).result);
  });
}

void Run::note_counters(const WireWatch& wires, const LoadWatch& loads) {
  auto step = watchdog_->step("reading counters");
  auto carried = wires.carried(sent());
  auto load = loads.since();
  step.done();
  record().wires = std::move(carried);
  record().loads = std::move(load);
}

void Run::on_rank_0(std::string_view name, const std::function<void()>& work) {
  const auto step = watchdog_->step(name);
  if (session_->rank() != 0) {
    watchdog_->note_arrival();
  }
  check_on_rank_0(work);
}

Run::Written Run::write() {
  recorder_->finish(record().complete);
  const auto final_report = report(head(/*ended=*/true));
  const auto result = json_text(final_report.result, 1) + "\n";
  Written written{.text = final_report.shown,
                  .where = files_.result().string(),
                  .code = final_report.valid ? kExitValid : kExitNotValid};
  const auto complain = [&](const std::filesystem::path& path, const FileError& problem,
                            const std::string& way_out) {
    say(fmt::format("{}: {} could not be written: {}; {}", context_->program.name, path.string(),
                    problem.what(), way_out));
    written.code = kExitFailed;
  };
  std::string before;
  try {
    write_atomically(files_.result(), result);
  } catch (const FileError& problem) {
    const auto other = write_elsewhere(files_.result(), result);
    written.where = other ? fmt::format("{} on {}", other->string(), own_host())
                          : std::string("what was printed");
    before = other ? std::string() : result;
    written.text = final_report.protocol;
    complain(
        files_.result(), problem,
        other ? "the result is in " + written.where : "the result is printed, before the protocol");
  }
  try {
    write_atomically(files_.protocol(), final_report.protocol);
  } catch (const FileError& problem) {
    written.text = final_report.protocol;
    complain(files_.protocol(), problem, "the protocol is printed");
  }
  written.text = before + written.text;
  return written;
}

int Run::end() {
  Written written{};
  on_rank_0("writing the result", [&] { written = write(); });
  watchdog_->on_hang("the result is in " + from_rank_0(written.where));
  clean_up_together();
  on_rank_0("removing the files", [&] {
    if (clean_up()) {
      written = write();
    }
  });
  on_rank_0("printing the result", [&] { print(written.text, written.where); });
  return from_rank_0(written.code);
}

int Run::end_in_haste() {
  int code = kExitFailed;
  try {
    const auto written = write();
    print(written.text, written.where);
    code = written.code;
  } catch (const std::exception& problem) {
    say(fmt::format("{}: {}", context_->program.name, problem.what()));
  }
  clean_up_in_haste();
  return code;
}

/// Called in the thread of rank 0's watchdog while MPI hangs, so without any call of MPI. The
/// process ends afterwards.
int Run::give_up(const std::string& why) {
  say_in_time(
      fmt::format("{}: {}; {}", context_->program.name, why,
                  measures_ ? "what was measured so far is reported" : "nothing was measured"));
  if (!measures_) {
    clean_up_in_haste();
    return kExitFailed;
  }
  describe(/*hangs=*/true);
  record().complete = false;
  record().stopped_by = why;
  return end_in_haste();
}

}  // namespace beff
