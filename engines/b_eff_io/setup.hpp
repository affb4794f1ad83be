#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "core/b_eff_io/plan.hpp"
#include "core/record/environment.hpp"
#include "engines/b_eff_io/members.hpp"
#include "engines/b_eff_io/options.hpp"
#include "engines/b_eff_io/run_files.hpp"
#include "engines/common/watch/watchdog.hpp"

namespace beff::b_eff_io {

/// Whether the library is ROMIO or may be. It keeps a shared file pointer in a hidden file beside
/// the measured one, which it locks and writes in each call, and locks what it writes through
/// holes. Where it cannot, it ends all processes, whatever the error handlers are.
[[nodiscard]] bool may_be_romio();

/// What came of doing the same in a file of one's own.
struct PointerTrial {
  bool locks = true;
  std::optional<std::string> problem;  ///< why it cannot be done; empty where all is well
};

/// Locks and writes some bytes at `block` of a file beside the measured one, where nothing was.
[[nodiscard]] PointerTrial try_pointer_file(const std::filesystem::path& path, std::int64_t block);

/// Hints with which ROMIO locks nothing but shared pointers.
inline constexpr std::pair kWithoutLocks{"romio_ds_write", "disable"};

/// Where a run takes place, and what it does there; the same on all processes but `file_system`.
struct Setup {
  Plan plan;
  FileSystem file_system;       ///< on rank 0
  std::uint64_t run;            ///< see Author
  Pointer pointer;              ///< of type 1: individual where shared ones cannot be used here
  std::string pointer_problem;  ///< why they cannot; empty if they can
  bool locks;                   ///< files can be locked there, or need not be
  Waiting waiting;
};

/// Makes the folders of a `run`, tries out the library there and plans. Collective over
/// MPI_COMM_WORLD; throws UsageError and RunError on all ranks.
[[nodiscard]] Setup set_up(const Options& options, const Environment& environment, RunFiles& files,
                           std::uint64_t run, Watchdog& watchdog);

}  // namespace beff::b_eff_io
