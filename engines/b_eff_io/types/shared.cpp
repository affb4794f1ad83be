// Type 1: the same layout on disk as type 0, through the shared file pointer, one chunk per call in
// the order of the ranks. A view set between patterns would reset the pointer, so none is.
#include "engines/b_eff_io/types/types.hpp"

namespace beff::b_eff_io {
namespace {

int start(const Work& work, bool reposition) {
  return reposition ? MPI_File_seek_shared(work.file, work.placement.base, MPI_SEEK_SET)
                    : MPI_SUCCESS;
}

void run(const Work& work, std::int64_t first, std::int64_t calls, CallErrors& errors) {
  const auto write = [&](void* memory, int count, MPI_Datatype chunk, MPI_Status* status,
                         std::int64_t /*number*/) {
    return MPI_File_write_ordered(work.file, memory, count, chunk, status);
  };
  const auto read = [&](void* memory, int count, MPI_Datatype chunk, MPI_Status* status,
                        std::int64_t /*number*/) {
    return MPI_File_read_ordered(work.file, memory, count, chunk, status);
  };
  if (work.writes) {
    repeat(work, first, calls, "MPI_File_write_ordered", errors, write);
  } else {
    repeat(work, first, calls, "MPI_File_read_ordered", errors, read);
  }
}

}  // namespace

const TypeMethod kSharedMethod{.start = start, .run = run};

}  // namespace beff::b_eff_io
