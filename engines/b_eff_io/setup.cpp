#include "engines/b_eff_io/setup.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "engines/b_eff_io/call_loop.hpp"
#include "engines/common/host/host.hpp"
#include "engines/common/mpi/agree.hpp"
#include "engines/common/mpi/launch.hpp"
#include "engines/common/run/files.hpp"
#include "engines/common/watch/end.hpp"

namespace beff::b_eff_io {

namespace {

Hints parsed(const std::string& file, const std::string& text) {
  try {
    // the standard's bounds count the end of a text, too
    return Hints::parse(text, {.key = MPI_MAX_INFO_KEY - 1, .value = MPI_MAX_INFO_VAL - 1});
  } catch (const std::invalid_argument& problem) {
    throw UsageError(fmt::format("--info {}: {}", file, problem.what()));
  }
}

std::string text_of_hints(const std::string& file) {
  return text_of_option("info", file,
                        "name a file with lines such as 'all write scatter on_open KEY VALUE'");
}

/// Throws UsageError where the library that was found does not take a hint: a program of the
/// standard ABI knows other bounds than its library has.
void try_out(const std::string& file, const Hints& hints) {
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  const Info owned(info);
  // of MPI-3 and MPI-4: those of errors that belong to no communicator or file
  const NotedErrors of_world(MPI_COMM_WORLD);
  const NotedErrors of_self(MPI_COMM_SELF);
  for (const auto& [key, value] : hints.all()) {
    if (const int code = MPI_Info_set(info, key.c_str(), value.c_str()); code != MPI_SUCCESS) {
      throw UsageError(fmt::format("--info {}: this MPI library does not take {} {}: {}", file, key,
                                   value, error_text(code)));
    }
  }
}

}  // namespace

Hints hints_of(const std::string& file) { return parsed(file, text_of_hints(file)); }

Hints read_hints(const std::string& file) {
  std::string text;
  check_on_rank_0([&] { text = text_of_hints(file); });
  auto hints = parsed(file, from_rank_0(std::move(text)));
  try_out(file, hints);
  return hints;
}

Info info_of(const HintMap& hints) {
  if (hints.empty()) {
    return {};
  }
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  for (const auto& [key, value] : hints) {
    MPI_Info_set(info, key.c_str(), value.c_str());
  }
  return Info(info);
}

HintMap hints_in_force(MPI_File file) {
  HintMap hints;
  MPI_Info info = MPI_INFO_NULL;
  if (MPI_File_get_info(file, &info) != MPI_SUCCESS || info == MPI_INFO_NULL) {
    return hints;
  }
  int count = 0;
  MPI_Info_get_nkeys(info, &count);
  for (int i = 0; i < count; ++i) {
    std::array<char, MPI_MAX_INFO_KEY + 1> key{};
    std::array<char, MPI_MAX_INFO_VAL + 1> value{};
    int known = 0;
    MPI_Info_get_nthkey(info, i, key.data());
    MPI_Info_get(info, key.data(), MPI_MAX_INFO_VAL, value.data(), &known);
    if (known != 0) {
      hints.emplace(key.data(), value.data());
    }
  }
  MPI_Info_free(&info);
  return hints;
}

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

bool all_succeeded(int code, MPI_Comm comm) {
  return allreduce(code == MPI_SUCCESS ? 0 : 1, MPI_MAX, comm) == 0;
}

/// Some libraries report success and put the data elsewhere, so the file itself is looked at.
bool ranks_stand_in_order(const std::filesystem::path& path, int processes) {
  std::ifstream file(path, std::ios::binary);
  for (std::int64_t rank = 0; rank < processes; ++rank) {
    std::int64_t stored = -1;
    file.read(reinterpret_cast<char*>(&stored), sizeof stored);
    if (!file || stored != rank) {
      return false;
    }
  }
  return true;
}

/// Whether what the processes of `comm` write through the shared pointer is where it belongs.
/// Collective over `comm`.
bool write_in_order(const std::filesystem::path& path, MPI_Comm comm) {
  MPI_File file = MPI_FILE_NULL;
  if (!all_succeeded(
          MPI_File_open(comm, path.c_str(), MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file),
          comm)) {
    return false;
  }
  const std::int64_t word = rank_in(comm);
  const bool written =
      all_succeeded(MPI_File_seek_shared(file, 0, MPI_SEEK_SET), comm) &&
      all_succeeded(MPI_File_write_ordered(file, &word, 1, MPI_INT64_T, MPI_STATUS_IGNORE), comm) &&
      all_succeeded(MPI_File_sync(file), comm);
  const bool right = written && word == 0 && ranks_stand_in_order(path, size_of(comm));
  MPI_File_close(&file);
  return right;
}

/// Some processes, as far apart as possible, try it for all: in order, each would wait for those
/// before it. Collective over MPI_COMM_WORLD.
bool shared_pointers_work(const std::filesystem::path& path) {
  constexpr int kMost = 16;
  const int rank = world_rank();
  const int apart = (size_of(MPI_COMM_WORLD) + kMost - 1) / kMost;
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank % apart == 0 ? 0 : MPI_UNDEFINED, rank, &comm);
  const Communicator some(comm);
  return from_rank_0(some.is_member() && write_in_order(path, some.get()));
}

std::optional<Bytes> striping_unit(MPI_File file) {
  const auto hints = hints_in_force(file);
  const auto entry = hints.find("striping_unit");
  Bytes unit = 0;
  if (entry != hints.end()) {
    const auto& text = entry->second;
    std::from_chars(text.data(), text.data() + text.size(), unit);
  }
  return unit > 0 ? std::optional(unit) : std::nullopt;
}

/// Throws UsageError on all processes where one does not see the folders that rank 0 has made.
void check_shared(const RunFiles& files, const std::vector<Type>& types) {
  std::optional<std::string> unseen;
  for (const Type type : types) {
    const auto folder = files.trial_path(type).parent_path();
    std::error_code problem;
    if (!unseen && !std::filesystem::is_directory(folder, problem)) {
      unseen = fmt::format("host {} does not see the folder {} that rank 0 has made", own_host(),
                           folder.string());
    }
  }
  if (const auto what = first_text(MPI_COMM_WORLD, unseen); !what.empty()) {
    throw UsageError(fmt::format("--path: {}; name a folder that all hosts share", what));
  }
}

/// What the MPI library can do with files in these folders.
struct LibraryTrial {
  std::string pointer_problem;         ///< why type 1 cannot use shared ones; empty if it can
  bool locks = true;                   ///< or no locks are needed
  std::optional<Bytes> striping_unit;  ///< from the hints of an open file
};

/// Opens a small file in the folder of `type` with all processes and, if asked, writes to another
/// through the shared pointer. Collective over MPI_COMM_WORLD; throws RunError on all processes
/// when the file cannot be opened.
LibraryTrial try_library(const RunFiles& files, Type type, bool shared_pointers) {
  const auto path = files.trial_path(type);
  MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);  // the default of all that are opened
  MPI_File file = MPI_FILE_NULL;
  const int code = MPI_File_open(MPI_COMM_WORLD, path.c_str(), MPI_MODE_CREATE | MPI_MODE_RDWR,
                                 MPI_INFO_NULL, &file);
  const auto error =
      first_text(MPI_COMM_WORLD, code == MPI_SUCCESS ? std::optional<std::string>()
                                                     : std::optional(error_text(code)));
  if (!error.empty()) {
    throw RunError(
        fmt::format("no file can be opened in {}: {}", path.parent_path().string(), error));
  }
  LibraryTrial trial;
  const auto unit = from_rank_0(striping_unit(file).value_or(0));
  trial.striping_unit = unit > 0 ? std::optional(unit) : std::nullopt;
  if (may_be_romio()) {
    const auto mine = try_pointer_file(files.pointer_path(type), world_rank());
    trial.locks = allreduce(mine.locks ? 1 : 0, MPI_MIN) == 1;
    trial.pointer_problem = first_text(MPI_COMM_WORLD, mine.problem);
  }
  MPI_File_close(&file);
  if (shared_pointers && trial.pointer_problem.empty() &&
      !shared_pointers_work(path.parent_path() / "ordered")) {
    trial.pointer_problem = "what they write is not where it belongs";
  }
  return trial;
}

}  // namespace

bool may_be_romio() {
  const char* chosen = std::getenv("OMPI_MCA_io");
  return mpi_family(mpi_library_text()) != MpiFamily::kOpenMpi ||
         (chosen != nullptr && std::string_view(chosen).starts_with("romio"));
}

PointerTrial try_pointer_file(const std::filesystem::path& path, std::int64_t block) {
  constexpr off_t kSpacing = 4096;
  PointerTrial trial;
  try {
    auto file = open_regular(path, O_RDWR | O_CREAT);
    struct flock lock{};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = block * kSpacing;
    lock.l_len = sizeof block;
    trial.locks = fcntl(file.get(), F_SETLK, &lock) == 0;
    if (!trial.locks) {
      trial.problem = fmt::format("no file can be locked there: {}", std::strerror(errno));
    } else if (pwrite(file.get(), &block, sizeof block, lock.l_start) != sizeof block ||
               close(file.release()) != 0) {
      trial.problem = fmt::format("nothing more can be written there: {}", std::strerror(errno));
    }
  } catch (const FileError& problem) {
    trial.problem = problem.what();
  }
  return trial;
}

Setup set_up(const Options& options, const Environment& environment, RunFiles& files,
             std::uint64_t run, Watchdog& watchdog) {
  FileSystem file_system;
  watchdog.wait_for_rank_0("set-up: making the folders");
  check_on_rank_0([&] {
    files.create();
    file_system = describe_file_system(files.folders());
    file_system.cache = options.fs_cache;
    file_system.note = options.filesystem_note;
    file_system.peak_MBps = options.io_peak_MBps;
  });
  const auto& types = options.request.types;
  const bool wants_shared = options.request.pointer == Pointer::kShared &&
                            std::ranges::find(types, Type::kShared) != types.end();
  watchdog.enter("set-up: trying out a file");
  check_shared(files, types);
  const auto trial = try_library(files, wants_shared ? Type::kShared : types.front(), wants_shared);
  file_system.striping_unit = trial.striping_unit;
  const Bytes reserve = from_rank_0(reserve_of(file_system));
  Setup setup{
      .plan = planned(
          options,
          {.processes = environment.processes, .nodes = std::nullopt, .memory = environment.memory},
          trial.striping_unit, reserve),
      .file_system = std::move(file_system),
      .run = run,
      .pointer = wants_shared && !trial.pointer_problem.empty() ? Pointer::kIndividual
                                                                : options.request.pointer,
      .pointer_problem = trial.pointer_problem,
      .locks = trial.locks,
      .waiting = environment.oversubscribed ? Waiting::kNapping : Waiting::kSpinning};
  watchdog.wait_for_rank_0("set-up: looking at the free space");
  check_on_rank_0([&] { check_space(setup.plan, files.free()); });
  return setup;
}

}  // namespace beff::b_eff_io
