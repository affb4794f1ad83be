#include "engines/b_eff_io/pointer_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "engines/common/mpi/launch.hpp"
#include "engines/common/run/files.hpp"

namespace beff::b_eff_io {

bool may_be_romio() {
  const char* chosen = std::getenv("OMPI_MCA_io");
  return mpi_family(mpi_library_text()) != MpiFamily::kOpenMpi ||
         (chosen != nullptr && std::string_view(chosen).starts_with("romio"));
}

PointerTrial try_pointer_file(const std::filesystem::path& path, std::int64_t block) {
  constexpr off_t kBlock = 4096;
  PointerTrial trial;
  try {
    auto file = open_regular(path, O_RDWR | O_CREAT);
    struct flock lock{};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = block * kBlock;
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

}  // namespace beff::b_eff_io
