#include "engines/b_eff_io/library_trial.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <charconv>
#include <cstdint>
#include <fstream>

#include "engines/b_eff_io/call_loop.hpp"
#include "engines/b_eff_io/hints.hpp"
#include "engines/common/agree.hpp"
#include "engines/common/fail.hpp"

namespace beff::b_eff_io {
namespace {

bool all_succeeded(int code) { return allreduce(code == MPI_SUCCESS ? 0 : 1, MPI_MAX) == 0; }

/// Some libraries report success and put the data elsewhere, so the file itself is looked at.
bool ranks_stand_in_order(const std::filesystem::path& path, int processes) {
  std::ifstream file(path, std::ios::binary);
  for (std::int64_t rank = 0; rank < processes; ++rank) {
    std::int64_t found = -1;
    file.read(reinterpret_cast<char*>(&found), sizeof found);
    if (!file || found != rank) {
      return false;
    }
  }
  return true;
}

bool write_in_order(MPI_File file, const std::filesystem::path& path) {
  const int rank = world_rank();
  const std::int64_t word = rank;
  if (!all_succeeded(MPI_File_seek_shared(file, 0, MPI_SEEK_SET)) ||
      !all_succeeded(MPI_File_write_ordered(file, &word, 1, MPI_INT64_T, MPI_STATUS_IGNORE)) ||
      !all_succeeded(MPI_File_sync(file))) {
    return false;
  }
  return bcast(rank == 0 && ranks_stand_in_order(path, size_of(MPI_COMM_WORLD)));
}

std::optional<Bytes> striping_unit(MPI_File file) {
  const auto hints = hints_in_force(file);
  const auto found = hints.find("striping_unit");
  Bytes unit = 0;
  if (found != hints.end()) {
    const auto& text = found->second;
    std::from_chars(text.data(), text.data() + text.size(), unit);
  }
  return unit > 0 ? std::optional(unit) : std::nullopt;
}

}  // namespace

LibraryTrial try_library(const RunFiles& files, Type type, bool shared_pointers) {
  const auto path = files.trial_path(type);
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
  const auto unit = bcast(striping_unit(file).value_or(0));
  trial.striping_unit = unit > 0 ? std::optional(unit) : std::nullopt;
  trial.shared_pointers = shared_pointers && write_in_order(file, path);
  MPI_File_close(&file);
  return trial;
}

}  // namespace beff::b_eff_io
