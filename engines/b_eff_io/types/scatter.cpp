// Type 0: strided file view, collective; one call scatters L contiguous bytes of memory to L/l
// chunks.
#include "engines/b_eff_io/types/types.hpp"

namespace beff::b_eff_io {
namespace {

int start(const Work& work, bool /*reposition*/) {
  const auto view = view_of(work.placement, work.rank);
  return MPI_File_set_view(work.file, view.displacement, MPI_BYTE, work.strided.get(), "native",
                           work.info.get());
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

const TypeMethod kScatterMethod{.start = start, .run = run, .sets_view = true};

}  // namespace beff::b_eff_io
