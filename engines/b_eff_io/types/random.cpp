// Types 5 and 6, beside the value: chunks in a random order, in one file or a file per process.
// Finding the place of a chunk takes some 100 ns, inside the clock.
#include "engines/b_eff_io/types/types.hpp"

namespace beff::b_eff_io {
namespace {

int start(const Work& /*work*/, bool /*reposition*/) { return MPI_SUCCESS; }

void run(const Work& work, std::int64_t first, std::int64_t calls, CallErrors& errors) {
  const ChunkMap chunks(work.placement, work.rank);
  const auto write = [&](void* memory, int count, MPI_Datatype chunk, MPI_Status* status,
                         std::int64_t number) {
    return MPI_File_write_at(work.file, chunks[number].offset, memory, count, chunk, status);
  };
  const auto read = [&](void* memory, int count, MPI_Datatype chunk, MPI_Status* status,
                        std::int64_t number) {
    return MPI_File_read_at(work.file, chunks[number].offset, memory, count, chunk, status);
  };
  if (work.writes) {
    repeat(work, first, calls, "MPI_File_write_at", errors, write);
  } else {
    repeat(work, first, calls, "MPI_File_read_at", errors, read);
  }
}

}  // namespace

const TypeMethod kRandomMethod{.start = start, .run = run};

}  // namespace beff::b_eff_io
