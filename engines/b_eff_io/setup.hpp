#pragma once

#include <mpi.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/b_eff_io/hints.hpp"
#include "core/b_eff_io/machine.hpp"
#include "core/b_eff_io/pattern_table.hpp"
#include "core/b_eff_io/plan.hpp"
#include "core/b_eff_io/sample.hpp"
#include "core/record/environment.hpp"
#include "engines/b_eff_io/content.hpp"
#include "engines/common/mpi/handles.hpp"
#include "engines/common/mpi/nodes.hpp"
#include "engines/common/run/program.hpp"
#include "engines/common/watch/watchdog.hpp"

namespace beff::b_eff_io {

/// How processes wait for each other.
enum class Waiting : std::uint8_t {
  kSpinning,  ///< as the library does
  kNapping,   ///< where processes share cores: those that wait leave theirs to the others
};

/// All processes of a communicator pass what they see and get what all have seen, by one reduction:
/// maxima of elapsed, error and stop, the minimum of free. Collective.
[[nodiscard]] Outcome agree_on(MPI_Comm comm, const Outcome& mine, Waiting waiting);

/// Waits until all processes of `comm` have come. Collective.
void barrier(MPI_Comm comm, Waiting waiting);

/// The same without keeping a core busy, and with longer naps: processes that do not belong to a
/// partition wait for it for minutes, on cores that others measure with. Collective.
void idle_barrier(MPI_Comm comm);

/// The processes of a partition, ranks 0 … processes - 1 of the run.
class Members {
 public:
  /// With `shift_readers` each process reads what one of another node wrote, which its own node's
  /// page cache cannot hold, where one shift of the ranks does that for all of them. O(1) memory.
  /// Collective over MPI_COMM_WORLD.
  Members(int processes, bool shift_readers, const Nodes& nodes);

  [[nodiscard]] MPI_Comm all() const { return all_.get(); }
  /// Those who open the file together. Ordered reads through a shared pointer go by the rank in
  /// the communicator that opened it, so readers have the ranks of those whose data they read.
  [[nodiscard]] MPI_Comm openers(Access access) const {
    return access == Access::kRead && readers_.is_member() ? readers_.get() : all();
  }
  /// The rank whose data this process moves.
  [[nodiscard]] int owner(Access access) const;
  [[nodiscard]] bool shifts_readers() const { return shift_ > 0; }

 private:
  Communicator all_;
  int shift_ = 0;  ///< of ranks, between a reader and the writer
  Communicator readers_;
};

/// Where the user wants the files: one folder, and others for single types.
struct Folders {
  std::optional<std::filesystem::path> all;
  std::map<Type, std::filesystem::path> by_type;

  /// Throws std::out_of_range when neither is given for the type.
  [[nodiscard]] const std::filesystem::path& of(Type type) const {
    if (const auto entry = by_type.find(type); entry != by_type.end()) {
      return entry->second;
    }
    if (!all) {
      throw std::out_of_range("no folder is given for this type");
    }
    return *all;
  }
};

/// The files of a run: in a folder of its own below each of the user's folders. Rank 0 makes and
/// removes the folders; all ranks know the names. What is not to be kept is removed at the end of
/// the scope, whatever happened.
class RunFiles {
 public:
  /// `run` is a number that no other run has; the folder is named after it. Touches nothing.
  RunFiles(const Folders& folders, const std::vector<Type>& types, std::uint64_t run, bool keep);
  RunFiles(const RunFiles&) = delete;
  RunFiles& operator=(const RunFiles&) = delete;
  ~RunFiles();

  /// Makes the folders. Throws UsageError naming --path.
  void create();
  /// On each rank: removes the files that it alone has written in partitions of so many processes,
  /// and that are not to be kept. Calls `went_on` after each.
  void remove_own(int rank, const std::vector<int>& partitions,
                  const std::function<void()>& went_on) const;
  /// Removes what create() has made and is not to be kept, with everything in it; returns what
  /// could not be removed. Calls `went_on` after each file.
  std::vector<std::string> remove(const std::function<void()>& went_on = [] {});

  /// A file for trying out what the library can.
  [[nodiscard]] std::filesystem::path trial_path(Type type) const {
    return by_type_.at(type) / "trial";
  }
  /// A file for try_pointer_file().
  [[nodiscard]] std::filesystem::path pointer_path(Type type) const {
    return by_type_.at(type) / "pointer";
  }
  [[nodiscard]] std::filesystem::path path(int partition, Type type, int rank) const;
  [[nodiscard]] const std::vector<std::filesystem::path>& folders() const { return folders_; }
  /// Free space for an ordinary user; the smallest where there are several file systems.
  [[nodiscard]] Bytes free() const;

 private:
  std::vector<std::string> remove_made(const std::function<void()>& went_on = [] {});

  std::map<Type, std::filesystem::path> by_type_;
  bool keep_;
  std::vector<std::filesystem::path> folders_;
  std::vector<std::filesystem::path> created_;
  /// Locked as long as the run lasts, so that `beff show` sees that the folders are in use. The
  /// system unlocks them when the process ends.
  std::vector<OpenFile> locked_;
};

/// The sentence of a folder that could not be removed.
[[nodiscard]] std::string files_left(const std::string& folder);

/// Free space in byte of the file system that holds `folder`; kUnlimited where it reports none.
[[nodiscard]] Bytes free_space(const std::filesystem::path& folder);

/// The file system of the first folder: kind, mount, size.
[[nodiscard]] FileSystem describe_file_system(const std::vector<std::filesystem::path>& folders);

struct Options : CommonOptions {
  PlanRequest request;  ///< without what planned() adds
  Folders folders;
  Hints hints;
  std::string hints_file;
  Verify verify = Verify::kSample;
  bool keep_files = false;
  bool shift_readers = false;
  std::optional<Bytes> fs_cache;
  std::optional<double> io_peak_MBps;
  std::optional<std::string> filesystem_note;
};

/// Reads the command line. Throws UsageError with one sentence.
Options parse_options(int argc, char** argv);

/// The plan of these options with these resources; of the file system `reserve` byte stay free.
/// Throws UsageError.
[[nodiscard]] Plan planned(const Options& options, const Resources& resources,
                           std::optional<Bytes> striping_unit = std::nullopt, Bytes reserve = 0);

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
