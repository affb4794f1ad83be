#include "engines/b_eff_io/mpi_machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "engines/b_eff_io/content.hpp"
#include "engines/b_eff_io/setup.hpp"
#include "engines/common/mpi/agree.hpp"

namespace beff::b_eff_io {
namespace {

/// L of the largest call; what fills up a segment is smaller than the unit it is rounded to.
Bytes largest_call(const Plan& plan) {
  Bytes largest = plan.unit_of_segments();
  for (const auto& pattern : plan.patterns) {
    largest = std::max(largest, pattern.memory);
  }
  return largest;
}

CallLength length_of_call(const Placement& placement, MPI_Datatype chunk) {
  const Bytes bytes = placement.bytes_per_call();
  return std::in_range<int>(bytes)
             ? CallLength{.count = static_cast<int>(bytes), .datatype = MPI_BYTE, .name = "byte"}
             : CallLength{.count = static_cast<int>(placement.chunks_per_call),
                          .datatype = chunk,
                          .name = "chunks"};
}

/// Where the calls of a counted pattern find their chunks.
std::vector<MPI_Offset> offsets_of(const Placement& placement, int rank) {
  const ChunkMap chunks(placement, rank);
  std::vector<MPI_Offset> offsets(static_cast<std::size_t>(placement.slots));
  for (std::size_t call = 0; call < offsets.size(); ++call) {
    offsets[call] = chunks[static_cast<std::int64_t>(call)].offset;
  }
  return offsets;
}

std::vector<Members> members_of(const std::vector<int>& partitions, bool shift_readers,
                                const Nodes& nodes) {
  std::vector<Members> all;
  for (const int processes : partitions) {
    all.emplace_back(processes, shift_readers, nodes);
  }
  return all;
}

/// Where in a partition a step is.
struct WorkPlace {
  Access access = Access::kWrite;
  std::optional<Type> type{};
  std::int16_t pattern = -1;
  int processes = 0;
};

std::string text_of(const WorkPlace& place) {
  return fmt::format("{}{}{} of {} processes",
                     place.type ? fmt::format("type {}, ", row(*place.type).name) : "",
                     place.pattern >= 0 ? fmt::format("pattern {}, ", place.pattern) : "",
                     to_string(place.access), place.processes);
}

WorkPlace place_of(const Block& block) {
  return {.access = block.access, .processes = block.processes};
}

WorkPlace place_of(const TypeWork& type) {
  return {.access = type.access, .type = type.type, .processes = type.processes};
}

WorkPlace place_of(const PatternWork& pattern) {
  auto place = place_of(static_cast<const TypeWork&>(pattern));
  place.pattern = static_cast<std::int16_t>(pattern.pattern);
  return place;
}

int mode_of(Access access, bool removes) {
  switch (access) {
    case Access::kWrite:
      return MPI_MODE_CREATE | MPI_MODE_RDWR;
    case Access::kRewrite:
      return MPI_MODE_RDWR;
    case Access::kRead:
      break;
  }
  return removes ? MPI_MODE_RDONLY | MPI_MODE_DELETE_ON_CLOSE : MPI_MODE_RDONLY;
}

}  // namespace

MpiMachine::MpiMachine(const Setup& setup, const Options& options, const Nodes& nodes,
                       BufferMemory& memory, const RunFiles& files, Watchdog& watchdog)
    : setup_(&setup),
      options_(&options),
      files_(&files),
      watchdog_(&watchdog),
      rank_(world_rank()),
      members_(members_of(setup.plan.partitions, options.shift_readers, nodes)),
      buffer_(host_memory_, memory, largest_call(setup.plan)),
      cache_(setup.plan, nodes, files),
      clock_(options.time_limit) {}

const Members& MpiMachine::members(const Block& block) const {
  return members_.at(static_cast<std::size_t>(block.partition));
}

Author MpiMachine::author(const PatternWork& pattern) const {
  return {.run = setup_->run,
          .partition = pattern.partition,
          .pattern = pattern.pattern,
          .rank = members(pattern).owner(pattern.access),
          .rewrite = pattern.access == Access::kRewrite};
}

Outcome MpiMachine::seen(Seconds elapsed, bool with_space) {
  Outcome mine;
  mine.elapsed = elapsed;
  mine.free = with_space && rank_ == 0 ? free_now() : kUnlimited;
  mine.stop = wish_to_stop() != Stop::kNo;
  return mine;
}

Bytes MpiMachine::free_now() {
  constexpr Seconds kReadAgain = 0.1;
  if (const Seconds now = run_time(); now - free_read_at_ >= kReadAgain) {
    free_ = files_->free();
    free_read_at_ = now;
  }
  return free_;
}

Outcome MpiMachine::agree_with(const Block& block, Outcome mine,
                               const std::optional<std::string>& error) {
  mine.error = error.has_value();
  watchdog_->note_arrival();
  auto agreed = agree_on(members(block).all(), mine, setup_->waiting);
  if (agreed.error) {
    agreed.text = first_text(members(block).all(), error);
  }
  return agreed;
}

Outcome MpiMachine::meet(const Block& block) {
  return meet_all("the meeting before a partition", &block);
}

Outcome MpiMachine::end() { return meet_all("the last meeting", nullptr); }

Outcome MpiMachine::meet_all(std::string_view name, const Block* block) {
  auto step = watchdog_->step(name);
  watchdog_->note_arrival();
  idle_barrier(MPI_COMM_WORLD);
  const auto read = cache_.access_ended();
  const auto state =
      block != nullptr ? cache_.access_begins(block->partition, block->access) : std::nullopt;
  const auto agreed = agree_on(MPI_COMM_WORLD, seen(0, block != nullptr), setup_->waiting);
  step.done();
  if (read) {
    cache_states_.back().read_from_disk = read->from_disk;
    cache_states_.back().read_by_devices = read->by_devices;
  }
  if (state) {
    cache_states_.push_back(*state);
  }
  return agreed;
}

/// Looking at the free space is part of an agreement, and so of its cost.
Outcome MpiMachine::calibrate(const Block& block) {
  constexpr int kTimes = 50;
  const auto step = watchdog_->step("timing an agreement", place_of(block), block.processes);
  for (int i = 0; i < 3; ++i) {
    (void)agree_on(members(block).all(), seen(0, true), setup_->waiting);
  }
  const Seconds begin = watch_time();
  for (int i = 0; i < kTimes; ++i) {
    (void)agree_on(members(block).all(), seen(0, true), setup_->waiting);
  }
  return agree_with(block, seen((watch_time() - begin) / kTimes, true), std::nullopt);
}

Outcome MpiMachine::open(const TypeWork& type) {
  auto step = watchdog_->step("opening the file", place_of(type), type.processes);
  const bool file_per_process = row(type.type).file_per_process();
  const auto path = files_->path(type.partition, type.type, members(type).owner(type.access));
  has_pointer_file_ =
      type.type == Type::kShared && setup_->pointer == Pointer::kShared && may_be_romio();
  pointer_problem_ = check_pointer_file(type);
  if (!pointer_problem_.empty()) {
    return agree_with(type, seen(0, false), pointer_problem_);
  }
  auto hints = options_->hints.on_open(type.processes, type.access, type.type);
  if (!setup_->locks) {
    hints.insert_or_assign(kWithoutLocks.first, kWithoutLocks.second);
  }
  const Info info = info_of(hints);
  const MPI_Comm comm = file_per_process ? MPI_COMM_SELF : members(type).openers(type.access);
  const bool removes = setup_->plan.procedure == Procedure::kOriginal && !options_->keep_files;
  const int mode = mode_of(type.access, removes);
  MPI_Barrier(members(type).all());
  const Seconds begin = run_time();
  const int code = MPI_File_open(comm, path.c_str(), mode, info.get(), &file_);
  const Seconds took = run_time() - begin;

  std::optional<std::string> error;
  if (code != MPI_SUCCESS) {
    error = fmt::format("MPI_File_open: {}", error_text(code));
    file_ = MPI_FILE_NULL;
  }
  const auto agreed = agree_with(type, seen(took, type.access == Access::kWrite), error);
  if (agreed.error && file_per_process && file_ != MPI_FILE_NULL) {
    MPI_File_close(&file_);
  }
  step.done();
  if (!agreed.error) {
    note_hints(type, std::nullopt, hints);
  }
  return agreed;
}

std::string MpiMachine::check_pointer_file(const TypeWork& type) {
  if (!has_pointer_file_) {
    return {};
  }
  const auto block = ++pointer_checks_ * size_of(MPI_COMM_WORLD) + rank_;
  return first_text(members(type).all(),
                    try_pointer_file(files_->pointer_path(type.type), block).problem);
}

void MpiMachine::note_hints(const TypeWork& type, std::optional<int> pattern,
                            const HintMap& requested) {
  if (rank_ != 0 || requested.empty()) {
    return;
  }
  auto accepted = hints_in_force(file_);
  if (pattern) {
    std::erase_if(accepted, [&](const auto& hint) { return !requested.contains(hint.first); });
  }
  hints_.push_back({.partition = type.partition,
                    .access = type.access,
                    .type = type.type,
                    .pattern = pattern,
                    .requested = requested,
                    .accepted = std::move(accepted)});
}

/// Everything that a pattern needs before its clock starts.
void MpiMachine::prepare(const PatternWork& pattern) {
  const auto& placement = pattern.placement;
  work_ = Work{};
  work_.file = file_;
  work_.placement = placement;
  work_.rank = members(pattern).owner(pattern.access);
  work_.writes = pattern.access != Access::kRead;
  work_.collective = row(pattern.type).collective;
  work_.chunk = Datatype::contiguous(placement.chunk);
  work_.strided = Datatype::strided(work_.chunk, placement.processes * placement.chunk);
  work_.buffer = &buffer_;
  work_.call = length_of_call(placement, work_.chunk.get());
  work_.offsets =
      row(pattern.type).random ? offsets_of(placement, work_.rank) : std::vector<MPI_Offset>();
  method_ = &method_of(pattern.type, setup_->pointer, buffer_.is_on_device());
  errors_ = CallErrors{};
  if (work_.writes) {
    buffer_.fill(Content(author(pattern)), placement.bytes_per_call());
  } else {
    buffer_.clear(placement.bytes_per_call());
  }
  pattern_hints_ =
      options_->hints.before_pattern(pattern.processes, pattern.access, pattern.pattern);
  work_.info = info_of(pattern_hints_);
  if (!pattern_hints_.empty() && !method_->sets_view) {
    const int code = MPI_File_set_info(file_, work_.info.get());
    if (code != MPI_SUCCESS) {
      errors_.note_failed("MPI_File_set_info", code);
    }
  }
}

Outcome MpiMachine::start(const PatternWork& pattern) {
  const auto step = watchdog_->step("the calls", place_of(pattern), pattern.processes);
  prepare(pattern);
  MPI_Barrier(members(pattern).all());
  pattern_started_ = run_time();
  if (!pointer_problem_.empty()) {
    return agree_with(pattern, seen(0, false), pointer_problem_);
  }
  const int code = method_->start(work_, pattern.reposition);
  if (code != MPI_SUCCESS) {
    errors_.note_failed("setting view or pointer", code);
  }
  return make_calls(pattern, {.first = 0, .calls = 1});
}

Outcome MpiMachine::make_calls(const PatternWork& pattern, const Batch& batch) {
  method_->run(work_, batch.first, batch.calls, errors_);
  const Seconds took = run_time() - pattern_started_;
  if (free_ != kUnlimited && pattern.access == Access::kWrite) {
    free_ -= batch.calls * work_.placement.bytes_per_round();
  }
  auto agreed = agree_with(pattern, seen(took, work_.writes), errors_.first());
  if (agreed.error && has_pointer_file_) {
    pointer_problem_ = "not tried after " + agreed.text;
  }
  return agreed;
}

Outcome MpiMachine::calls(const PatternWork& pattern, const Batch& batch) {
  const auto step = watchdog_->step("the calls", place_of(pattern), pattern.processes);
  return make_calls(pattern, batch);
}

FinishOutcome MpiMachine::finish(const PatternWork& pattern, const PatternEnd& end) {
  auto step = watchdog_->step("the sync and the check", place_of(pattern), pattern.processes);
  CallErrors sync_errors;
  if (end.sync) {
    const int code = MPI_File_sync(file_);
    if (code != MPI_SUCCESS) {
      sync_errors.note_failed("MPI_File_sync", code);
    }
  }
  barrier(members(pattern).all(), setup_->waiting);
  const Seconds took = run_time() - pattern_started_;
  FinishOutcome agreed{agree_with(pattern, seen(took, work_.writes), sync_errors.first())};
  const auto wrong = !work_.writes && options_->verify != Verify::kNone
                         ? check(pattern, end.calls, agreed)
                         : std::nullopt;
  step.done();
  first_wrong_ = first_wrong_ ? first_wrong_ : wrong;
  note_hints(pattern, pattern.pattern, pattern_hints_);
  return agreed;
}

std::optional<std::string> MpiMachine::check(const PatternWork& pattern, std::int64_t calls,
                                             FinishOutcome& agreed) {
  CheckReport report;
  if (!errors_.first()) {
    ReadCheck check(
        pattern, calls, author(pattern),
        files_->path(pattern.partition, pattern.type, members(pattern).owner(pattern.access)));
    buffer_.fetch(pattern.placement.bytes_per_call());
    check.compare_buffer(buffer_);
    check.compare_file(options_->verify == Verify::kFull, checked_file_);
    report = check.report();
  }
  const auto counts =
      allreduce(std::array{report.checked, report.wrong}, MPI_SUM, members(pattern).all());
  agreed.checked = counts[0];
  agreed.wrong = counts[1];
  return agreed.wrong > 0 ? std::optional(first_text(members(pattern).all(), report.first_error))
                          : std::nullopt;
}

Outcome MpiMachine::close(const TypeWork& type) {
  const auto step = watchdog_->step("closing the file", place_of(type), type.processes);
  std::optional<std::string> error;
  checked_file_ = OpenFile();
  MPI_Barrier(members(type).all());
  const Seconds begin = run_time();
  const int code = MPI_File_close(&file_);
  const Seconds took = run_time() - begin;
  if (code != MPI_SUCCESS) {
    error = fmt::format("MPI_File_close: {}", error_text(code));
  }
  return agree_with(type, seen(took, type.access == Access::kWrite), error);
}

void MpiMachine::describe(Measurement& measured) const {
  measured.data_check.mode = to_string(options_->verify);
  measured.data_check.first_error = first_wrong_;
  measured.cache = cache_states_;
  measured.hints = hints_;
  measured.shared_pointers = setup_->pointer == Pointer::kShared;
  measured.reader_shifted = std::ranges::any_of(members_, &Members::shifts_readers);
  measured.elapsed = clock_.elapsed();
}

}  // namespace beff::b_eff_io
