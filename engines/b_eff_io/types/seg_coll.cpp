// Type 4: the segments of type 3, written and read by collective calls.
#include "engines/b_eff_io/types/types.hpp"

namespace beff::b_eff_io {
namespace {

int start(const Work& work, bool /*reposition*/) {
  return MPI_File_seek(work.file, view_of(work.placement, work.rank).displacement, MPI_SEEK_SET);
}

void run(const Work& work, std::int64_t first, std::int64_t calls, CallErrors& errors) {
  const auto write = [&](void* memory, int count, MPI_Datatype chunk, MPI_Status* status,
                         std::int64_t /*number*/) {
    return MPI_File_write_all(work.file, memory, count, chunk, status);
  };
  const auto read = [&](void* memory, int count, MPI_Datatype chunk, MPI_Status* status,
                        std::int64_t /*number*/) {
    return MPI_File_read_all(work.file, memory, count, chunk, status);
  };
  if (work.writes) {
    repeat(work, first, calls, "MPI_File_write_all", errors, write);
  } else {
    repeat(work, first, calls, "MPI_File_read_all", errors, read);
  }
}

}  // namespace

const TypeMethod kSegCollMethod{.start = start, .run = run};

}  // namespace beff::b_eff_io
