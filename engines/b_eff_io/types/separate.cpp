// Type 2: a file per process, opened by that process alone, not collective.
#include "engines/b_eff_io/types/types.hpp"

namespace beff::b_eff_io {
namespace {

int start(const Work& work, bool /*reposition*/) {
  return MPI_File_seek(work.file, view_of(work.placement, work.rank).displacement, MPI_SEEK_SET);
}

void run(const Work& work, std::int64_t first, std::int64_t calls, CallErrors& errors) {
  const auto write = [&](void* memory, int count, MPI_Datatype chunk, MPI_Status* status,
                         std::int64_t /*number*/) {
    return MPI_File_write(work.file, memory, count, chunk, status);
  };
  const auto read = [&](void* memory, int count, MPI_Datatype chunk, MPI_Status* status,
                        std::int64_t /*number*/) {
    return MPI_File_read(work.file, memory, count, chunk, status);
  };
  if (work.writes) {
    repeat(work, first, calls, "MPI_File_write", errors, write);
  } else {
    repeat(work, first, calls, "MPI_File_read", errors, read);
  }
}

}  // namespace

const TypeMethod kSeparateMethod{.start = start, .run = run};

}  // namespace beff::b_eff_io
