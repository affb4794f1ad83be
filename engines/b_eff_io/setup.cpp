#include "engines/b_eff_io/setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engines/b_eff_io/library_trial.hpp"
#include "engines/common/agree.hpp"
#include "engines/common/fail.hpp"

namespace beff::b_eff_io {
namespace {

/// Free space that is never touched.
Bytes reserve_of(const FileSystem& file_system) {
  constexpr Bytes kPart = 20;
  return std::min(kGiB, file_system.total / kPart);
}

void check_space(const Plan& plan, Bytes free) {
  if (free != kUnlimited && free < minimal_space(plan)) {
    throw UsageError(fmt::format(
        "--path: {} are free, but one call of each pattern needs {} ({} of it stay free); choose "
        "another folder, smaller chunks with --max-chunk, or fewer --partitions or --types",
        format_size(free), format_size(minimal_space(plan)), format_size(plan.reserve)));
  }
}

}  // namespace

Setup set_up(const Options& options, const Environment& environment, RunFiles& files,
             std::uint64_t run) {
  FileSystem file_system;
  check_on_rank_0([&] {
    files.create();
    file_system = describe_file_system(files.folders());
    file_system.cache = options.fs_cache;
    file_system.note = options.filesystem_note;
  });
  const auto& types = options.request.types;
  const bool wants_shared = options.request.pointer == Pointer::kShared &&
                            std::ranges::find(types, Type::kShared) != types.end();
  const auto trial = try_library(files, wants_shared ? Type::kShared : types.front(), wants_shared);
  file_system.striping_unit = trial.striping_unit;
  const Bytes reserve = bcast(reserve_of(file_system));
  const bool fell_back = wants_shared && !trial.shared_pointers;
  Setup setup{
      .plan = planned(options, {.processes = environment.processes,
                                .memory_per_process = environment.memory.per_process,
                                .striping_unit = trial.striping_unit,
                                .reserve = reserve}),
      .file_system = std::move(file_system),
      .settings = {.run = run,
                   .pointer = fell_back ? Pointer::kIndividual : options.request.pointer,
                   .waiting = environment.oversubscribed ? Waiting::kNapping : Waiting::kSpinning},
      .fell_back = fell_back};
  check_on_rank_0([&] { check_space(setup.plan, files.free()); });
  return setup;
}

}  // namespace beff::b_eff_io
