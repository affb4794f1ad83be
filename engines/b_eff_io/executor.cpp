#include "engines/b_eff_io/executor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "engines/b_eff_io/batch.hpp"
#include "engines/b_eff_io/reader_shift.hpp"
#include "engines/common/clock.hpp"
#include "engines/common/stop_signal.hpp"

namespace beff::b_eff_io {
namespace {

Communicator first_processes(int count) {
  const int rank = world_rank();
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank < count ? 0 : MPI_UNDEFINED, rank, &comm);
  return Communicator(comm);
}

/// The same processes, each with the rank of the one whose data it reads.
Communicator shifted(const Communicator& members, int shift) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_split(members.get(), 0, (members.rank() + shift) % members.size(), &comm);
  return Communicator(comm);
}

/// L of the largest call; what fills up a segment is smaller than the unit it is rounded to.
Bytes largest_call(const Plan& plan) {
  Bytes largest = plan.segment_unit;
  for (const auto& pattern : plan.patterns) {
    largest = std::max(largest, pattern.memory);
  }
  return largest;
}

CallLength length_of_call(const Placement& placement, MPI_Datatype chunk) {
  const Bytes bytes = placement.bytes_per_call();
  return std::in_range<int>(bytes)
             ? CallLength{.count = static_cast<int>(bytes), .unit = MPI_BYTE, .name = "byte"}
             : CallLength{.count = static_cast<int>(placement.chunks_per_call),
                          .unit = chunk,
                          .name = "chunks"};
}

int mode_of(Access access) {
  switch (access) {
    case Access::kWrite:
      return MPI_MODE_CREATE | MPI_MODE_RDWR;
    case Access::kRewrite:
      return MPI_MODE_RDWR;
    case Access::kRead:
      break;
  }
  return MPI_MODE_RDONLY;
}

}  // namespace

Executor::Executor(const Plan& plan, const Nodes& nodes, const RunFiles& files,
                   const ExecutorSettings& settings, Watchdog& watchdog)
    : files_(&files),
      settings_(&settings),
      watchdog_(&watchdog),
      rank_(world_rank()),
      buffer_(largest_call(plan)),
      cache_(plan, nodes, files, settings.drop_cache),
      agreement_(settings.waiting) {
  for (const int processes : plan.partitions) {
    partitions_.push_back(first_processes(processes));
    const auto& members = partitions_.back();
    reader_shifts_.push_back(
        settings.shift_readers && members.is_member() && nodes.count() > 1
            ? reader_shift(members.get(), nodes.leader(), nodes.local_processes())
            : 0);
    readers_.push_back(reader_shifts_.back() > 0 ? shifted(members, reader_shifts_.back())
                                                 : Communicator());
  }
  MPI_Barrier(MPI_COMM_WORLD);
  started_ = watch_time();
}

Seconds Executor::elapsed() const { return watch_time() - started_; }

MPI_Comm Executor::members(const Order& order) const {
  return partitions_.at(static_cast<std::size_t>(order.partition)).get();
}

MPI_Comm Executor::openers(const Order& order) const {
  const auto& readers = readers_.at(static_cast<std::size_t>(order.partition));
  return order.access == Access::kRead && readers.is_member() ? readers.get() : members(order);
}

bool Executor::readers_are_shifted() const {
  return std::ranges::any_of(reader_shifts_, [](int shift) { return shift > 0; });
}

int Executor::owner(const Order& order) const {
  const int shift = reader_shifts_.at(static_cast<std::size_t>(order.partition));
  return order.access == Access::kRead ? (rank_ + shift) % order.processes : rank_;
}

Author Executor::author(const Order& order) const {
  return {.run = settings_->run,
          .partition = order.partition,
          .pattern = order.pattern,
          .rank = owner(order),
          .rewrite = order.access == Access::kRewrite};
}

bool Executor::wishes_to_stop() const {
  const bool late = settings_->time_limit && rank_ == 0 && elapsed() > *settings_->time_limit;
  return late || stop_was_requested();
}

std::optional<std::string> Executor::stop_reason() const {
  if (stop_was_requested()) {
    return "a signal asked the program to end";
  }
  if (wishes_to_stop()) {
    return fmt::format("the time limit of {} was reached; --time-limit gives it more",
                       format_duration(settings_->time_limit.value_or(0)));
  }
  return std::nullopt;
}

Outcome Executor::seen(Seconds elapsed, bool look_at_space) const {
  Outcome mine;
  mine.elapsed = elapsed;
  mine.now = this->elapsed();
  mine.free = look_at_space && rank_ == 0 ? files_->free() : kUnlimited;
  mine.stop = wishes_to_stop();
  return mine;
}

Outcome Executor::agree_with(const Order& order, Outcome mine,
                             const std::optional<std::string>& error) {
  mine.error = error.has_value();
  watchdog_->arrived();
  auto agreed = agreement_.reach(members(order), mine);
  add_text(order, agreed, error);
  return agreed;
}

Outcome Executor::agree_later(const Order& order, Outcome mine) {
  mine.error = errors_.first().has_value();
  watchdog_->arrived();
  auto before = agreement_.begin(members(order), mine);
  add_text(order, before, errors_.first());
  return before;
}

void Executor::add_text(const Order& order, Outcome& agreed,
                        const std::optional<std::string>& error) {
  if (agreed.error) {
    agreed.text = first_text(members(order), error);
  }
}

Outcome Executor::execute(const Order& order) {
  watchdog_->begin(order);
  switch (order.phase) {
    case Phase::kBegin:
      return begin(order);
    case Phase::kCalibrate:
      return calibrate(order);
    case Phase::kOpen:
      return open(order);
    case Phase::kCalls:
      return calls(order);
    case Phase::kFinish:
      return finish(order);
    case Phase::kClose:
      return close(order);
    case Phase::kEnd:
      break;
  }
  return end();
}

Outcome Executor::begin(const Order& order) {
  watchdog_->arrived();
  meet_idly(MPI_COMM_WORLD);
  cache_.access_ended();
  cache_.access_begins(order.partition, order.access);
  return agreement_.reach(MPI_COMM_WORLD, seen(0, true));
}

Outcome Executor::end() {
  watchdog_->arrived();
  meet_idly(MPI_COMM_WORLD);
  cache_.access_ended();
  return agreement_.reach(MPI_COMM_WORLD, seen(0, false));
}

/// Looking at the free space is part of an agreement, and so of its cost.
Outcome Executor::calibrate(const Order& order) {
  constexpr int kTimes = 50;
  for (int i = 0; i < 3; ++i) {
    (void)agreement_.reach(members(order), seen(0, true));
  }
  const Seconds begin = MPI_Wtime();
  for (int i = 0; i < kTimes; ++i) {
    (void)agreement_.reach(members(order), seen(0, true));
  }
  return agree_with(order, seen((MPI_Wtime() - begin) / kTimes, true), std::nullopt);
}

Outcome Executor::open(const Order& order) {
  const bool own = row(order.type).file_per_process;
  const auto path = files_->path(order.partition, order.type, owner(order));
  const auto hints = settings_->hints.on_open(order.processes, order.access, order.type);
  const Info info(hints);
  MPI_Comm comm = own ? MPI_COMM_SELF : openers(order);
  const int mode = mode_of(order.access);
  MPI_Barrier(members(order));
  const Seconds begin = MPI_Wtime();
  const int code = MPI_File_open(comm, path.c_str(), mode, info.get(), &file_);
  const Seconds took = MPI_Wtime() - begin;

  std::optional<std::string> error;
  if (code != MPI_SUCCESS) {
    error = fmt::format("MPI_File_open: {}", error_text(code));
    file_ = MPI_FILE_NULL;
  }
  const auto agreed = agree_with(order, seen(took, order.access == Access::kWrite), error);
  if (agreed.error && own && file_ != MPI_FILE_NULL) {
    MPI_File_close(&file_);
  }
  if (!agreed.error) {
    note_hints(order, std::nullopt, hints);
  }
  return agreed;
}

void Executor::note_hints(const Order& order, std::optional<int> pattern,
                          const HintMap& requested) {
  if (rank_ != 0 || requested.empty()) {
    return;
  }
  auto accepted = hints_in_force(file_);
  if (pattern) {
    std::erase_if(accepted, [&](const auto& hint) { return !requested.contains(hint.first); });
  }
  hints_.push_back({.partition = order.partition,
                    .access = order.access,
                    .type = order.type,
                    .pattern = pattern,
                    .requested = requested,
                    .accepted = std::move(accepted)});
}

/// Everything that a pattern needs before its clock starts.
void Executor::prepare(const Order& order) {
  const auto& placement = order.placement;
  work_ = Work{};
  work_.file = file_;
  work_.placement = placement;
  work_.rank = owner(order);
  work_.writes = order.access != Access::kRead;
  work_.collective = row(order.type).collective;
  work_.chunk = Datatype::contiguous(placement.chunk);
  work_.strided = Datatype::strided(work_.chunk, placement.processes * placement.chunk);
  work_.buffer = &buffer_;
  work_.call = length_of_call(placement, work_.chunk.get());
  method_ = &method_of(order.type, settings_->pointer);
  errors_ = CallErrors{};
  if (work_.writes) {
    buffer_.fill(Content(author(order)), placement.bytes_per_call());
  } else {
    buffer_.clear(placement.bytes_per_call());
  }
  pattern_hints_ = settings_->hints.before_pattern(order.processes, order.access, order.pattern);
  work_.info = Info(pattern_hints_);
  if (!pattern_hints_.empty() && !method_->sets_view) {
    const int code = MPI_File_set_info(file_, work_.info.get());
    if (code != MPI_SUCCESS) {
      errors_.note_failed("MPI_File_set_info", code);
    }
  }
}

Outcome Executor::calls(const Order& order) {
  if (order.first_call == 0) {
    prepare(order);
    MPI_Barrier(members(order));
    pattern_started_ = MPI_Wtime();
    const int code = method_->start(work_, order.reposition);
    if (code != MPI_SUCCESS) {
      errors_.note_failed("setting view or pointer", code);
    }
  }
  run_batch(*method_, work_, order.first_call, order.calls, agreement_, errors_);
  const Seconds took = MPI_Wtime() - pattern_started_;
  const Outcome mine = seen(took, work_.writes);
  return order.defers ? agree_later(order, mine) : agree_with(order, mine, errors_.first());
}

Outcome Executor::finish(const Order& order) {
  CallErrors sync_errors;
  if (order.sync) {
    const int code = MPI_File_sync(file_);
    if (code != MPI_SUCCESS) {
      sync_errors.note_failed("MPI_File_sync", code);
    }
  }
  meet(members(order), settings_->waiting);
  const Seconds took = MPI_Wtime() - pattern_started_;
  auto agreed = agree_with(order, seen(took, work_.writes), sync_errors.first());
  note_hints(order, order.pattern, pattern_hints_);
  if (!work_.writes && settings_->verify != Verify::kNone) {
    check(order, agreed);
  }
  return agreed;
}

void Executor::check(const Order& order, Outcome& agreed) {
  CheckReport report;
  if (!errors_.first()) {
    ReadCheck check(order, author(order), files_->path(order.partition, order.type, owner(order)));
    check.look_at_buffer(buffer_);
    check.look_at_file(settings_->verify == Verify::kFull);
    report = check.report();
  }
  std::array<long long, 2> counts{report.checked, report.wrong};
  MPI_Allreduce(MPI_IN_PLACE, counts.data(), 2, MPI_LONG_LONG, MPI_SUM, members(order));
  agreed.checked = counts[0];
  agreed.wrong = counts[1];
  if (agreed.wrong > 0) {
    const auto text = first_text(members(order), report.first_error);
    first_wrong_ = first_wrong_.value_or(text);
  }
}

Outcome Executor::close(const Order& order) {
  std::optional<std::string> error;
  MPI_Barrier(members(order));
  const Seconds begin = MPI_Wtime();
  const int code = MPI_File_close(&file_);
  const Seconds took = MPI_Wtime() - begin;
  if (code != MPI_SUCCESS) {
    error = fmt::format("MPI_File_close: {}", error_text(code));
  }
  return agree_with(order, seen(took, order.access == Access::kWrite), error);
}

}  // namespace beff::b_eff_io
