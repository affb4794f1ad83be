#pragma once

#include <mpi.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "core/b_eff_io/hints.hpp"
#include "core/b_eff_io/plan.hpp"
#include "core/record/environment.hpp"
#include "engines/b_eff_io/content.hpp"
#include "engines/b_eff_io/members.hpp"
#include "engines/b_eff_io/run_files.hpp"
#include "engines/common/mpi/handles.hpp"
#include "engines/common/run/program.hpp"
#include "engines/common/watch/watchdog.hpp"

namespace beff::b_eff_io {

struct Options : CommonOptions {
  PlanRequest request;  ///< without what planned() adds
  Folders folders;
  Hints hints;
  std::string hints_file;
  Verify verify = Verify::kSample;
  bool keep_files = false;
  bool shift_readers = false;
  std::optional<Bytes> fs_cache;
  std::optional<std::string> filesystem_note;
};

/// Reads the command line. Throws UsageError with one sentence.
Options parse_options(int argc, char** argv);

/// The plan of these options with these resources; of the file system `reserve` byte stay free.
/// Throws UsageError.
[[nodiscard]] Plan planned(const Options& options, const Resources& resources,
                           std::optional<Bytes> striping_unit = std::nullopt, Bytes reserve = 0);

/// Measures and reports; returns the exit code, the same on all ranks. Throws UsageError and
/// RunError on all ranks alike. Ends the job where a file cannot be closed any more.
int carry_out(const MpiSession& session, Watchdog& watchdog, Options& options,
              const RunContext& context);

/// Prints the plan of these options with these resources, with the free space where they name a
/// folder. Throws UsageError.
void print_plan(const Options& asked, const RunContext& context, const Resources& resources);

/// Reads the file of --info on rank 0, for all. Collective over MPI_COMM_WORLD; throws UsageError.
[[nodiscard]] Hints read_hints(const std::string& file);

/// What this process reads in the file of --info, without any call of MPI. Throws UsageError.
[[nodiscard]] Hints hints_of(const std::string& file);

/// An MPI_Info with these hints, or MPI_INFO_NULL for none.
[[nodiscard]] Info info_of(const HintMap& hints);

/// The hints that are in force on an open file.
[[nodiscard]] HintMap hints_in_force(MPI_File file);

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
